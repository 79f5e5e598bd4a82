import * as vscode from 'vscode';

/** Files in tabs, the one the user looks at first, each once. */
export function openFiles(): readonly vscode.Uri[] {
  const active = contextEditor()?.document.uri;
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const all = active === undefined ? tabs : [active, ...tabs];
  const seen = new Set<string>();
  return all.filter((uri) => {
    const isNew = uri.scheme === 'file' && !seen.has(uri.toString());
    seen.add(uri.toString());
    return isNew;
  });
}

/** The editor the user means; a chat in a tab of its own leaves none active, but others in sight. */
export function contextEditor(): vscode.TextEditor | undefined {
  return vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
}

/** 1-based and inclusive; a selection that ends at the start of a line does not mean that line. */
export function selectedLines({ selection }: vscode.TextEditor): readonly [first: number, last: number] {
  const { start, end } = selection;
  return [start.line + 1, end.character === 0 && end.line > start.line ? end.line : end.line + 1];
}

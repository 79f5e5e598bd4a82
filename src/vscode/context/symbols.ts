import * as vscode from 'vscode';

const LIMIT_MS = 300;

const icons: Readonly<Partial<Record<vscode.SymbolKind, string>>> = {
  [vscode.SymbolKind.Class]: 'symbol-class',
  [vscode.SymbolKind.Constant]: 'symbol-constant',
  [vscode.SymbolKind.Enum]: 'symbol-enum',
  [vscode.SymbolKind.Field]: 'symbol-field',
  [vscode.SymbolKind.Function]: 'symbol-method',
  [vscode.SymbolKind.Interface]: 'symbol-interface',
  [vscode.SymbolKind.Method]: 'symbol-method',
  [vscode.SymbolKind.Property]: 'symbol-property',
  [vscode.SymbolKind.Variable]: 'symbol-variable',
};

/** What language extensions know by that name; a slow one must not hold up the menu. */
export async function findSymbols(query: string): Promise<readonly vscode.SymbolInformation[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LIMIT_MS);
  });
  const asked = Promise.resolve(
    vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    ),
  ).catch(() => undefined);
  const found = await Promise.race([asked, late]);
  clearTimeout(timer);
  return (found ?? []).filter(({ location }) => location.uri.scheme === 'file');
}

export function symbolIcon(kind: vscode.SymbolKind): string {
  return icons[kind] ?? 'symbol-misc';
}

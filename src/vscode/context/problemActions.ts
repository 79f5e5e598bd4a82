import * as vscode from 'vscode';

/** The menu of the Problems view takes nothing from extensions, but it shows Quick Fixes. */
export function registerProblemActions(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { scheme: 'file' },
    {
      provideCodeActions: (document, _range, { diagnostics }) =>
        diagnostics
          .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Information)
          .map((found) => action(document, found)),
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

function action(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const title = vscode.l10n.t('Add problem to Parley chat');
  const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  made.diagnostics = [diagnostic];
  const { line, character } = diagnostic.range.start;
  const place = { path: document.uri.fsPath, line, character, message: diagnostic.message };
  made.command = { command: 'parley.addProblem', title, arguments: [place] };
  return made;
}

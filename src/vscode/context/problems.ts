import * as vscode from 'vscode';

const MAX_PROBLEMS = 200;

/** Errors and warnings; hints are the editor's own business. */
export function problemsOf(
  uri: vscode.Uri | undefined,
): readonly (readonly [vscode.Uri, vscode.Diagnostic])[] {
  const all: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[] =
    uri === undefined ? vscode.languages.getDiagnostics() : [[uri, vscode.languages.getDiagnostics(uri)]];
  return all.flatMap(([file, diagnostics]) =>
    diagnostics
      .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Information)
      .map((diagnostic) => [file, diagnostic] as const),
  );
}

/** One line for each problem. */
export function describeProblems(problems: readonly (readonly [vscode.Uri, vscode.Diagnostic])[]): string {
  if (problems.length === 0) {
    return vscode.l10n.t('There are no problems now.');
  }
  const lines = problems.slice(0, MAX_PROBLEMS).map(([uri, { range, severity, message, source }]) => {
    const place = `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}`;
    return `${place} ${severityWord(severity)} ${message}${source === undefined ? '' : ` (${source})`}`;
  });
  const left = problems.length - lines.length;
  return [...lines, ...(left > 0 ? [vscode.l10n.t('… and {0} more', left)] : [])].join('\n');
}

function severityWord(severity: vscode.DiagnosticSeverity): string {
  switch (severity) {
    case vscode.DiagnosticSeverity.Error:
      return 'error';
    case vscode.DiagnosticSeverity.Warning:
      return 'warning';
    default:
      return 'info';
  }
}

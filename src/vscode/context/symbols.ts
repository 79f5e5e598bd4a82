import * as vscode from 'vscode';
import { withinLimit } from '../../core/base/withinLimit';

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
  const asked = Promise.resolve(
    vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    ),
  );
  const late = (): Error => new Error(`No symbols within ${LIMIT_MS} ms.`);
  const found = await withinLimit(asked, LIMIT_MS, late).catch(() => undefined);
  return (found ?? []).filter(({ location }) => location.uri.scheme === 'file');
}

export function symbolIcon(kind: vscode.SymbolKind): string {
  return icons[kind] ?? 'symbol-misc';
}

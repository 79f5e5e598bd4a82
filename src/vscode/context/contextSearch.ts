import * as path from 'node:path';
import * as vscode from 'vscode';
import { candidate, fuzzyScore } from '../../core/context/fuzzy';
import type { Attachment, ContextSuggestion } from '../../shared/attachments';
import type { FileIndex, WorkspaceIndex } from './fileIndex';
import { contextEditor, openFiles } from './openEditors';
import { problemsOf } from './problems';
import { selectionOf } from './selections';
import { findSymbols, symbolIcon } from './symbols';

const MAX_SUGGESTIONS = 50;
const MAX_SYMBOLS = 10;
const MAX_FOLDERS = 10;
const SYMBOLS_FROM = 2;
/** More than a better place in the same name is worth, less than a match of the name over one of the folders. */
const OPEN_BONUS = 60;
const RECENT_BONUS = 30;

type Scored = readonly [score: number, suggestion: ContextSuggestion];

/** What the @ menu shows, most likely first. */
export class ContextSearch {
  constructor(
    private readonly index: FileIndex,
    private readonly newId: () => string,
    private readonly recent: () => readonly string[],
  ) {}

  async search(query: string): Promise<readonly ContextSuggestion[]> {
    const index = await this.index.get();
    return query === '' ? this.likely(index) : await this.matching(query, index);
  }

  private likely(index: WorkspaceIndex): readonly ContextSuggestion[] {
    const open = openFiles();
    const shown = new Set(open.map((uri) => uri.fsPath));
    const further = [...this.recent().map((file) => vscode.Uri.file(file)), ...first(index, MAX_SUGGESTIONS)];
    const others = further.filter(({ fsPath }) => !shown.has(fsPath) && shown.add(fsPath));
    return [...this.special(index), ...[...open, ...others].map((uri) => this.file(uri))].slice(
      0,
      MAX_SUGGESTIONS,
    );
  }

  private async matching(query: string, index: WorkspaceIndex): Promise<readonly ContextSuggestion[]> {
    const symbols = query.length < SYMBOLS_FROM ? [] : findSymbols(query);
    const open = new Set(openFiles().map((uri) => vscode.workspace.asRelativePath(uri)));
    const recent = new Set(this.recent().map((file) => vscode.workspace.asRelativePath(file)));
    const bonus = (shown: string): number => {
      if (open.has(shown)) {
        return OPEN_BONUS;
      }
      return recent.has(shown) ? RECENT_BONUS : 0;
    };
    const toScored = (
      found: readonly { readonly path: string; readonly score: number }[],
      make: (uri: vscode.Uri) => ContextSuggestion,
    ): readonly Scored[] =>
      found.flatMap(({ path: shown, score }) => {
        const uri = index.uriOf(shown);
        return uri === undefined ? [] : [[score, make(uri)]];
      });
    const all: readonly Scored[] = [
      ...this.special(index).flatMap((suggestion): readonly Scored[] => {
        const score = fuzzyScore(query, candidate(suggestion.label));
        return score === undefined ? [] : [[score + OPEN_BONUS, suggestion]];
      }),
      ...toScored(index.files.find(query, MAX_SUGGESTIONS, bonus), (uri) => this.file(uri)),
      ...toScored(index.folders.find(query, MAX_FOLDERS), (uri) => this.folder(uri)),
      ...(await symbols)
        .flatMap((symbol): readonly Scored[] => {
          const score = fuzzyScore(query, candidate(symbol.name.replaceAll('/', ' ')));
          return score === undefined ? [] : [[score, this.symbol(symbol)]];
        })
        .toSorted(([a], [b]) => b - a)
        .slice(0, MAX_SYMBOLS),
    ];
    return all
      .toSorted(([a], [b]) => b - a)
      .slice(0, MAX_SUGGESTIONS)
      .map(([, suggestion]) => suggestion);
  }

  /** Selection, problems and changes: only what there is. */
  private special(index: WorkspaceIndex): readonly ContextSuggestion[] {
    const editor = contextEditor();
    const found: ContextSuggestion[] = [];
    if (editor !== undefined && !editor.selection.isEmpty) {
      const attachment = selectionOf(editor, this.newId());
      found.push({
        attachment,
        label: vscode.l10n.t('Selection'),
        description: attachment.name,
        icon: 'selection',
      });
    }
    if (editor?.document.uri.scheme === 'file' && problemsOf(editor.document.uri).length > 0) {
      const { fsPath } = editor.document.uri;
      const name = vscode.l10n.t('Problems in {0}', path.basename(fsPath));
      found.push({
        attachment: { kind: 'problems', id: this.newId(), name, path: fsPath },
        label: name,
        description: countWords(problemsOf(editor.document.uri).length),
        icon: 'warning',
      });
    }
    const problems = problemsOf(undefined).length;
    if (problems > 0) {
      const name = vscode.l10n.t('All problems');
      found.push({
        attachment: { kind: 'problems', id: this.newId(), name, path: undefined },
        label: name,
        description: countWords(problems),
        icon: 'warning',
      });
    }
    const terminal = vscode.window.activeTerminal;
    if (terminal !== undefined) {
      found.push({
        attachment: undefined,
        label: vscode.l10n.t('Terminal selection'),
        description: terminal.name,
        icon: 'terminal',
      });
    }
    if (index.hasGit) {
      const name = vscode.l10n.t('Git changes');
      found.push({
        attachment: { kind: 'changes', id: this.newId(), name },
        label: name,
        description: vscode.l10n.t('Everything since the last commit'),
        icon: 'source-control',
      });
    }
    return found;
  }

  private file(uri: vscode.Uri): ContextSuggestion {
    const name = path.basename(uri.fsPath);
    return {
      attachment: { kind: 'file', id: this.newId(), name, path: uri.fsPath },
      label: name,
      description: folderWords(uri),
      icon: 'file',
    };
  }

  private folder(uri: vscode.Uri): ContextSuggestion {
    const name = path.basename(uri.fsPath);
    return {
      attachment: { kind: 'folder', id: this.newId(), name, path: uri.fsPath },
      label: `${name}/`,
      description: folderWords(uri),
      icon: 'folder',
    };
  }

  private symbol({ name, kind, location }: vscode.SymbolInformation): ContextSuggestion {
    const startLine = location.range.start.line + 1;
    const attachment: Attachment = {
      kind: 'symbol',
      id: this.newId(),
      name,
      path: location.uri.fsPath,
      startLine,
      endLine: location.range.end.line + 1,
    };
    const description = `${vscode.workspace.asRelativePath(location.uri)}:${startLine}`;
    return { attachment, label: name, description, icon: symbolIcon(kind) };
  }
}

function first(index: WorkspaceIndex, count: number): readonly vscode.Uri[] {
  return index.files.find('', count).flatMap(({ path: shown }) => index.uriOf(shown) ?? []);
}

/** The folder of a file; nothing for one at the top. */
function folderWords(uri: vscode.Uri): string {
  const parent = path.posix.dirname(vscode.workspace.asRelativePath(uri));
  return parent === '.' ? '' : parent;
}

function countWords(count: number): string {
  return count === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', count);
}

import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Changes, FileVersion, PendingFile, RestorePreview } from '../../core/changes/model';

type Side = 'before' | 'empty' | 'now' | 'restored';

/**
 * Files as they were before the agents, for VS Code's diff editors. A file system and not a text provider: images
 * and other encodings are shown as they are.
 */
export class ChangesDiff extends DisposableStore implements vscode.FileSystemProvider {
  private readonly changed = this.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.changed.event;
  private readonly shown = new Map<string, vscode.Uri>();
  private preview: RestorePreview = { files: [] };

  constructor(
    private readonly changes: Changes,
    private readonly scheme = 'parley-before',
  ) {
    super();
    this.add(vscode.workspace.registerFileSystemProvider(scheme, this, { isReadonly: true }));
    this.add(
      changes.onDidChange(() => {
        const uris = [...this.shown.values()];
        this.changed.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
      }),
    );
  }

  /** One file against what it was. */
  async open(file: PendingFile): Promise<void> {
    const [, before, now] = this.sides(file);
    const title = vscode.l10n.t('{0} (changes)', path.basename(file.path));
    await vscode.commands.executeCommand('vscode.diff', before, now, title, { preview: true });
  }

  /** All in VS Code's multi-file diff editor. */
  async openAll(files: readonly PendingFile[], title: string): Promise<void> {
    await vscode.commands.executeCommand(
      'vscode.changes',
      title,
      files.map((file) => this.sides(file)),
    );
  }

  async openPreview(preview: RestorePreview, title: string, only?: string): Promise<void> {
    this.preview = preview;
    const files = preview.files.filter((file) => only === undefined || file.path === only);
    const sides = files.map(({ path: file, restored }): [vscode.Uri, vscode.Uri, vscode.Uri] => [
      vscode.Uri.file(file),
      this.uri(file, 'now'),
      this.uri(file, restored === undefined ? 'empty' : 'restored'),
    ]);
    const [first] = sides;
    if (only !== undefined && first !== undefined) {
      await vscode.commands.executeCommand('vscode.diff', first[1], first[2], title, { preview: true });
      return;
    }
    await vscode.commands.executeCommand('vscode.changes', title, sides);
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    this.shown.set(uri.toString(), uri);
    return new vscode.Disposable(() => this.shown.delete(uri.toString()));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { content } = await this.version(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: Date.now(), size: content.length };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.version(uri)).content;
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  private sides({ path: file, kind }: PendingFile): [vscode.Uri, vscode.Uri, vscode.Uri] {
    const now = vscode.Uri.file(file);
    return [
      now,
      this.uri(file, kind === 'created' ? 'empty' : 'before'),
      kind === 'deleted' ? this.uri(file, 'empty') : now,
    ];
  }

  private uri(file: string, side: Side): vscode.Uri {
    return vscode.Uri.file(file).with({ scheme: this.scheme, query: side });
  }

  private async version(uri: vscode.Uri): Promise<FileVersion> {
    const file = uri.with({ scheme: 'file', query: '' }).fsPath;
    const nothing: FileVersion = { content: new Uint8Array(), mode: 'file' };
    const restored = this.preview.files.find((candidate) => candidate.path === file);
    switch (uri.query as Side) {
      case 'before':
        return (await this.changes.before(file)) ?? nothing;
      case 'now':
        return restored?.now ?? nothing;
      case 'restored':
        return restored?.restored ?? nothing;
      default:
        return nothing;
    }
  }
}

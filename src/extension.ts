import * as vscode from 'vscode';
import type { ParleyApi } from './core/api/parleyApi';
import type { Host } from './host';
import { registerProblemActions } from './vscode/context/problemActions';
import { chatPanel, commandIds, views } from './vscode/contributions';
import { PENDING_KEY } from './vscode/changes/changeContext';
import type { ChangeNode } from './vscode/changes/changesView';
import type { SessionNode } from './vscode/sessionTree';

let loading: Promise<Host> | undefined;

/**
 * Registers what the manifest names and loads nothing else: the rest comes with the first view that is
 * shown or command that is run, and the SDK with the first agent that is used.
 */
export function activate(context: vscode.ExtensionContext): ParleyApi {
  const host = (): Promise<Host> => {
    loading ??= loadHost(context, treeView, changesView);
    return loading;
  };
  const treeView: vscode.TreeView<SessionNode> = vscode.window.createTreeView(views.sessions, {
    treeDataProvider: lazyTree(context, async () => (await host()).tree),
  });
  const changesView: vscode.TreeView<ChangeNode> = vscode.window.createTreeView(views.changes, {
    treeDataProvider: lazyTree(context, async () => (await host()).changesTree),
  });
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider(
      views.chat,
      { resolveWebviewView: async (view) => (await host()).chat.resolve(view) },
      { webviewOptions: { retainContextWhenHidden: true } },
    ),
    vscode.window.registerWebviewPanelSerializer(chatPanel, {
      deserializeWebviewPanel: async (panel, state) => (await host()).panels.restore(panel, state),
    }),
    treeView,
    registerProblemActions(),
    changesView,
    ...commandIds.map((id) =>
      // Menus on lists of files give what is selected there, too.
      vscode.commands.registerCommand(id, async (argument: unknown, selection: unknown) =>
        (await host()).runCommand(id, argument, selection),
      ),
    ),
  );
  // Set by `npm start`. Otherwise nothing opens by itself.
  if (process.env.PARLEY_OPEN_CHAT === '1') {
    void vscode.commands.executeCommand(`${views.chat}.focus`);
  }
  if (context.workspaceState.get(PENDING_KEY) === true) {
    // Editors are to show what is left to review.
    void host();
  }
  void hasLedgers(context).then((isThere) => (isThere ? host() : undefined));
  return lazyApi(context, host);
}

/** An extension host that was killed may have left agents behind; loading the host sweeps them. */
async function hasLedgers(context: vscode.ExtensionContext): Promise<boolean> {
  try {
    const ledgers = vscode.Uri.joinPath(context.globalStorageUri, 'processes');
    return (await vscode.workspace.fs.readDirectory(ledgers)).length > 0;
  } catch {
    // No folder, no agents.
    return false;
  }
}

export async function deactivate(): Promise<void> {
  await (await loading)?.shutDown();
}

async function loadHost(
  context: vscode.ExtensionContext,
  treeView: vscode.TreeView<SessionNode>,
  changesView: vscode.TreeView<ChangeNode>,
): Promise<Host> {
  try {
    const { createHost } = await import('./host');
    return createHost(context, treeView, changesView);
  } catch (error) {
    // VS Code shows an empty view and says nothing.
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('Parley could not start: {0}', reason));
    throw error;
  }
}

interface LoadedTree<T> {
  readonly onDidChangeTreeData: vscode.Event<T | undefined>;
  getChildren(parent?: T): T[];
  getTreeItem(node: T): vscode.TreeItem;
}

function lazyTree<T>(
  context: vscode.ExtensionContext,
  load: () => Promise<LoadedTree<T>>,
): vscode.TreeDataProvider<T> {
  const changed = new vscode.EventEmitter<T | undefined>();
  context.subscriptions.push(changed);
  let isFollowing = false;
  return {
    onDidChangeTreeData: changed.event,
    async getChildren(parent) {
      const tree = await load();
      if (!isFollowing) {
        isFollowing = true;
        context.subscriptions.push(tree.onDidChangeTreeData((node) => changed.fire(node)));
      }
      return tree.getChildren(parent);
    },
    getTreeItem: async (node) => (await load()).getTreeItem(node),
  };
}

/** What other extensions get: the real thing, loaded when they first use it. */
function lazyApi(context: vscode.ExtensionContext, host: () => Promise<Host>): ParleyApi {
  const sessions = async (): Promise<ParleyApi['sessions']> => (await host()).api.sessions;
  return {
    version: 1,
    agents: { list: async () => (await host()).api.agents.list() },
    sessions: {
      start: async (request) => (await sessions()).start(request),
      list: async (filter) => (await sessions()).list(filter),
      get: async (id) => (await sessions()).get(id),
      prompt: async (id, prompt) => (await sessions()).prompt(id, prompt),
      cancel: async (id) => (await sessions()).cancel(id),
      setConfig: async (id, configId, value) => (await sessions()).setConfig(id, configId, value),
      close: async (id) => (await sessions()).close(id),
      onDidUpdate: (listener) => {
        let subscription: { dispose(): void } | undefined;
        let isDisposed = false;
        void sessions().then((api) => {
          if (!isDisposed) {
            subscription = api.onDidUpdate(listener);
          }
        });
        const disposable = new vscode.Disposable(() => {
          isDisposed = true;
          subscription?.dispose();
        });
        context.subscriptions.push(disposable);
        return disposable;
      },
    },
  };
}

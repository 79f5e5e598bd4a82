import { randomUUID } from 'node:crypto';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { LoginEnvironment } from './core/process/loginEnv';
import { AgentPool } from './core/agents/agentPool';
import { ProcessLedger } from './core/process/processLedger';
import { createApi, type ParleyApi } from './core/api/parleyApi';
import { Emitter } from './core/base/emitter';
import { asError } from './core/base/errors';
import { DisposableStore } from './core/base/lifecycle';
import { withTopic } from './core/base/log';
import { changeStorageIn } from './core/changes/changeStorage';
import { ChangeTracker } from './core/changes/changeTracker';
import type { ChangingSession } from './core/changes/model';
import { FollowSessions } from './core/changes/followSessions';
import { GitSnapshots } from './core/changes/git/snapshots';
import { PathGuard } from './core/files/pathGuard';
import { AttachmentData } from './core/session/attachmentData';
import { Drafts } from './core/session/drafts';
import { History } from './core/session/history';
import { watchIdleSessions } from './core/session/idle';
import { PermissionPolicy } from './core/permissions/policy';
import { PromptQueues } from './core/session/promptQueue';
import type { Session } from './core/session/session';
import { Sessions } from './core/session/sessions';
import { TranscriptStore } from './core/transcripts/transcriptStore';
import { UnseenTurns } from './core/session/unseenTurns';
import { AgentOffer } from './vscode/agentOffer';
import { EditorChangeFiles } from './vscode/changes/changeFiles';
import { ChangesUi } from './vscode/changes/changesUi';
import type { ChangeNode, ChangesView } from './vscode/changes/changesView';
import type { UsedFile } from './vscode/changes/follow';
import type { ChatServices } from './vscode/chat/chat';
import { ChatFocus } from './vscode/chat/chatFocus';
import { ChatPanels } from './vscode/chat/chatPanels';
import { Chats } from './vscode/chat/chats';
import { ChatView } from './vscode/chat/chatView';
import { NoticeActions } from './vscode/chat/noticeActions';
import { createCommands } from './vscode/commands';
import { Config } from './vscode/config';
import { watchAgentSetting } from './vscode/configProblems';
import { EditorContext } from './vscode/context/editorContext';
import { ContextKeys } from './vscode/contextKeys';
import { askAccess } from './vscode/files/askAccess';
import { WorkspaceFiles } from './vscode/files/workspaceFiles';
import { folderEnvironment } from './vscode/folderEnvironment';
import { Logs } from './vscode/log';
import { Notifications } from './vscode/notifications';
import { openWebPage, registerDiffContent } from './vscode/open';
import { askOutsideSession } from './vscode/askOutsideSession';
import { SessionTree, showWaiting, type SessionNode } from './vscode/sessionTree';
import { showError } from './vscode/showError';
import { StatusBar } from './vscode/statusBar';
import { Terminals } from './core/terminals/commandTerminals';
import { Workspace } from './vscode/workspace';

const START_TIMEOUT_MS = 30_000;

export interface Host {
  readonly chat: ChatView;
  readonly panels: ChatPanels;
  readonly tree: SessionTree;
  readonly changesTree: ChangesView;
  readonly api: ParleyApi;
  runCommand(id: string, argument: unknown, selection: unknown): Promise<unknown>;
  /** Ends every agent; resolves when none is left. */
  shutDown(): Promise<void>;
}

/** The composition root: the only place that knows all parts. */
export function createHost(
  context: vscode.ExtensionContext,
  treeView: vscode.TreeView<SessionNode>,
  changesTree: vscode.TreeView<ChangeNode>,
): Host {
  const store = new DisposableStore();
  const logs = store.add(new Logs());
  const log = logs.main;
  const config = new Config(context);
  const workspace = store.add(new Workspace());
  const newId = createIds();
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;

  const environment = new LoginEnvironment({ log: withTopic(log, 'environment') });
  const ledger = new ProcessLedger(
    path.join(context.globalStorageUri.fsPath, 'processes'),
    withTopic(log, 'processes'),
  );
  void ledger.sweep();
  const guard: PathGuard = new PathGuard({
    ask: (question) => askAccess(question, sessions.get(question.sessionId)?.record.agentName ?? 'Parley'),
    outside: () => config.outsideWorkspace(),
    protectedGlobs: () => config.protectedGlobs(),
    ownFolders: [storage, context.globalStorageUri.fsPath],
  });
  const changesLog = withTopic(log, 'changes');
  const changeFiles = new EditorChangeFiles({
    folderOf: (file) => changes.followedFolder(file),
    since: (folder) => changes.followedSince(folder),
  });
  const changes: ChangeTracker = store.add(
    new ChangeTracker({
      ...changeStorageIn(path.join(storage, 'changes')),
      snapshots: store.add(
        new GitSnapshots({
          storage: path.join(storage, 'snapshots'),
          environment: () => environment.get(),
          log: changesLog,
        }),
      ),
      files: changeFiles,
      folders: () => workspace.folders(),
      log: changesLog,
    }),
  );
  const changing = (id: string): ChangingSession => {
    const { workdir = workspace.firstFolder(), roots = [] } = sessions.get(id) ?? {};
    return { id, workdir, roots };
  };
  const used = store.add(new Emitter<UsedFile>());
  const files = new WorkspaceFiles(
    guard,
    {
      onWillWrite: (path, sessionId) => changes.agentWillWrite(changing(sessionId), path),
      onDidWrite: (path, sessionId) => changes.agentDidWrite(changing(sessionId), path),
      versionAtTurnStart: (path, sessionId) => changes.versionAtTurnStart(sessionId, path),
      onDidUse: (path, sessionId, line) => used.fire({ path, sessionId, line }),
    },
    changesLog,
  );
  store.add(changeFiles.onDidReplace((path) => void files.forget(path).catch(() => undefined)));
  const terminals = new Terminals({
    ledger,
    guard,
    newId,
    environment: async (cwd) => folderEnvironment(await environment.get(), cwd),
    takesInput: () => config.commandsTakeInput(),
  });
  const pool = store.add(
    new AgentPool({
      findAgent: (id) => config.findAgent(id),
      maxProcesses: () => config.maxAgentProcesses(),
      checkFolder: (folder) => workspace.checkFolder(folder),
      startTimeoutMs: START_TIMEOUT_MS,
      environment: () => environment.get(),
      clientVersion: extensionVersion(context),
      files,
      terminals,
      newId,
      agentLog: (name) => logs.agent(name),
      askOutsideSession: (agentName, question, withdrawn) =>
        askOutsideSession(agentName, question, withdrawn),
      onTraffic: (name, direction, message) => logs.recordTraffic(name, direction, message),
      ledger,
      log: withTopic(log, 'agents'),
    }),
  );

  store.add(
    pool.onDidChange((key) => {
      const state = pool.state(key);
      // What was missing may be installed by the next try.
      if (state.kind === 'failed' && state.error.code === 'agentNotFound') {
        environment.forget();
      }
    }),
  );

  const policy = new PermissionPolicy(context.workspaceState, () => config.permissionRules());
  const editorContext = store.add(new EditorContext(newId));
  const attachmentData = new AttachmentData(path.join(storage, 'attachments'), withTopic(log, 'attachments'));
  const queues = new PromptQueues(context.workspaceState, attachmentData);
  const drafts = new Drafts(context.workspaceState, attachmentData);
  // Without a workspace, other windows keep theirs in the same folder.
  if (context.storageUri !== undefined) {
    attachmentData.removeLeftovers();
  }
  const transcripts = new TranscriptStore(path.join(storage, 'transcripts'), withTopic(log, 'transcripts'));
  const followSessions = store.add(new FollowSessions(changes, changesLog));
  const sessions: Sessions = store.add(
    new Sessions({
      hooks: followSessions,
      pool,
      history: store.add(new History(context.workspaceState, withTopic(log, 'history'))),
      transcripts,
      queues,
      findAgent: (id) => config.findAgent(id),
      resolveAttachments: (session, attachments) => editorContext.resolve(session, attachments),
      decide: (subject) => policy.decide(subject),
      otherFolders: (folder) => workspace.otherFolders(folder),
      openExternal: openWebPage,
      newId,
      now: Date.now,
      log: withTopic(log, 'sessions'),
    }),
  );

  store.add(
    sessions.onDidChange((session) => {
      if (session === undefined) {
        drafts.prune((id) => sessions.get(id) !== undefined);
      }
    }),
  );
  followSessions.listen(sessions);
  const changesUi = store.add(
    new ChangesUi({
      changes,
      files: changeFiles,
      isAgentWriting: (path) => files.isWriting(path),
      onDidUseFile: used.event,
      sessions,
      config,
      view: changesTree,
      memento: context.workspaceState,
      isShown: (session) => chat.session === session || chats.isInSight(session),
      log: changesLog,
    }),
  );
  store.add(watchIdleSessions(sessions, { timeoutMs: () => config.idleTimeoutMs(), now: Date.now }));
  void tidyTranscripts(transcripts, sessions, config).catch((error: unknown) => log.error(asError(error)));

  const services: ChatServices = {
    sessions,
    queues,
    drafts,
    config,
    offer: store.add(
      new AgentOffer(config, context.globalState, () => environment.get(), withTopic(log, 'agents')),
    ),
    workspace,
    actions: new NoticeActions(sessions, pool, workspace, policy, logs),
    context: editorContext,
    focus: new ChatFocus(),
    changes,
    review: changesUi.review,
    log: withTopic(log, 'chat'),
    newId,
  };
  const chat = store.add(new ChatView(context.extensionUri, context.workspaceState, services));
  const panels = store.add(new ChatPanels(context.extensionUri, services));
  store.add(new StatusBar(sessions));
  const chats: Chats = store.add(new Chats(chat, panels));
  const isInSight = (session: Session): boolean => chats.isInSight(session);
  const unseen = store.add(new UnseenTurns(sessions, context.workspaceState, isInSight));
  store.add(chat.onDidChangeSight(() => unseen.sightChanged()));
  store.add(panels.onDidChangeSight(() => unseen.sightChanged()));
  store.add(
    new Notifications({
      sessions,
      isInSight,
      tellsTurnEnd: () => config.tellsTurnEnd(),
      isWindowFocused: () => vscode.window.state.focused,
      tell: (message, button) => vscode.window.showInformationMessage(message, button),
      open: (session) => void chats.show(session),
    }),
  );
  const tree = store.add(
    new SessionTree({
      sessions,
      unseen,
      grouping: () => config.sessionGrouping(),
      runningAgents: () =>
        pool.running.map((key) => {
          const id = pool.describe(key)?.agentId ?? key;
          return { key, name: config.findAgent(id)?.name ?? id };
        }),
    }),
  );
  store.add(showWaiting(sessions, treeView));
  store.add(registerDiffContent((id) => sessions.get(id)));
  store.add(new ContextKeys(sessions));
  store.add(watchAgentSetting(config, (error) => showError(error, logs)));
  const commands = createCommands({
    sessions,
    pool,
    chat,
    panels,
    chats,
    editorContext,
    policy,
    changes: { changes, review: changesUi.review, diff: changesUi.diff, places: changesUi.places },
    config,
    logs,
    listedSessions: () => tree.listed(),
    treeSelection: () => {
      const [node] = treeView.selection;
      return node?.kind === 'session' ? node.session : undefined;
    },
  });
  context.subscriptions.push(store);

  return {
    chat,
    panels,
    tree,
    changesTree: changesUi.tree,
    api: createApi({
      sessions,
      agents: () => config.agents(),
      chooseFolder: () => Promise.resolve(workspace.firstFolder()),
    }),
    async runCommand(id, argument, selection) {
      try {
        return await commands[id as keyof typeof commands](argument, selection);
      } catch (error) {
        // A session that could not be started says so in the chat.
        if (!id.startsWith('parley.newSession')) {
          showError(error, logs);
        }
        throw error;
      }
    },
    async shutDown() {
      // First what is quick and cannot be made up for: VS Code gives an extension only a few seconds.
      transcripts.flush();
      await Promise.all([pool.stopAll(), terminals.stopAll()]);
    },
  };
}

/** Lists what only the logs know after a crash, then drops what is too old or too much. */
async function tidyTranscripts(
  transcripts: TranscriptStore,
  sessions: Sessions,
  config: Config,
): Promise<void> {
  sessions.adoptStored((await transcripts.list()).map(({ head }) => head));
  sessions.forget(await transcripts.prune({ ...config.transcriptLimits(), keep: new Set() }));
}

/** Unique over reloads and windows, short because every entry carries one. */
function createIds(): () => string {
  const prefix = randomUUID().slice(0, 8);
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count}`;
  };
}

function extensionVersion(context: vscode.ExtensionContext): string {
  const { version } = context.extension.packageJSON as { readonly version: string };
  return version;
}

const changeCommandIds = [
  'parley.keepAllChanges',
  'parley.undoAllChanges',
  'parley.undoReview',
  'parley.reviewChanges',
  'parley.restoreCheckpoint',
  'parley.keepHunk',
  'parley.undoHunk',
  'parley.nextChange',
  'parley.previousChange',
  'parley.keepFileChanges',
  'parley.undoFileChanges',
  'parley.openChange',
  'parley.toggleFollow',
  'parley.stopFollowing',
] as const;

export type ChangeCommandId = (typeof changeCommandIds)[number];

/** Names from package.json; a test holds the two together. */
export const commandIds = [
  'parley.newSession',
  'parley.newSessionWithAgent',
  'parley.openSession',
  'parley.openInEditor',
  'parley.stopTurn',
  'parley.closeSession',
  'parley.deleteSession',
  'parley.renameSession',
  'parley.focusChat',
  'parley.allowPermission',
  'parley.rejectPermission',
  'parley.goToQuestion',
  'parley.toggleToolCalls',
  'parley.forkSession',
  'parley.refreshSessions',
  'parley.restartAgent',
  'parley.stopAgent',
  'parley.installAgent',
  'parley.managePermissions',
  'parley.exportTranscript',
  'parley.copyTranscript',
  'parley.addSelection',
  'parley.addFile',
  'parley.addProblem',
  'parley.addTerminalSelection',
  'parley.groupSessions',
  'parley.searchSessions',
  'parley.nextSession',
  'parley.previousSession',
  'parley.showLog',
  'parley.showTraffic',
  'parley.openSettings',
  ...changeCommandIds,
] as const;

export type CommandId = (typeof commandIds)[number];

export const views = { chat: 'parley.chat', sessions: 'parley.sessions', changes: 'parley.changes' } as const;

/** The type of the chat's editor tabs. */
export const chatPanel = 'parley.chatPanel';

/** Set while the chat can be used at all, and while a question waits, for menus and keys. */
export const contextKeys = {
  isWaiting: 'parley.isWaiting',
  isRunning: 'parley.isRunning',
  hasSession: 'parley.hasSession',
  isChatFocused: 'parley.isChatFocused',
  hasChanges: 'parley.hasChanges',
  /** Paths, for `resourcePath in …`. */
  changedFiles: 'parley.changedFiles',
  canUndoReview: 'parley.canUndoReview',
} as const;

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
  'parley.forkSession',
  'parley.refreshSessions',
  'parley.restartAgent',
  'parley.stopAgent',
  'parley.installAgent',
  'parley.managePermissions',
  'parley.exportTranscript',
  'parley.addSelection',
  'parley.addFile',
  'parley.showLog',
  'parley.showTraffic',
  'parley.openSettings',
] as const;

export type CommandId = (typeof commandIds)[number];

export const views = { chat: 'parley.chat', sessions: 'parley.sessions' } as const;

/** The type of the chat's editor tabs. */
export const chatPanel = 'parley.chatPanel';

/** Set while the chat can be used at all, and while a question waits, for menus and keys. */
export const contextKeys = {
  isWaiting: 'parley.isWaiting',
  isRunning: 'parley.isRunning',
  hasSession: 'parley.hasSession',
} as const;

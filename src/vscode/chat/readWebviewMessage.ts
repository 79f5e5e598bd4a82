import { readAttachments, type Attachment } from '../../shared/attachments';
import {
  asBoolean,
  asNumber,
  asObject,
  asOneOf,
  asString,
  isObject,
  type JsonObject,
} from '../../shared/json';
import type { ElicitationAnswer, WebviewMessage } from '../../shared/protocol';
import type { ActionCommand, FormAnswer } from '../../shared/transcript/model';

const MAX_TEXT = 1_000_000;

type Type = WebviewMessage['type'];
type Reader<T extends Type> = (raw: JsonObject) => Extract<WebviewMessage, { type: T }> | undefined;

/** Checks a message from the webview, which shows what agents wrote and is trusted with nothing. */
export function readWebviewMessage(raw: unknown): WebviewMessage | undefined {
  if (!isObject(raw)) {
    return undefined;
  }
  const type = asString(raw.type);
  return type !== undefined && Object.hasOwn(readers, type) ? readers[type as Type](raw) : undefined;
}

/** By hand, because a schema library would be loaded with the first keystroke. */
const readers: { readonly [T in Type]: Reader<T> } = {
  ready: () => ({ type: 'ready' }),
  focusChanged: (raw) => all('focusChanged', { hasFocus: asBoolean(raw.hasFocus) }),
  resync: () => ({ type: 'resync' }),
  submitPrompt: (raw) => all('submitPrompt', readDraft(raw)),
  cancelTurn: (raw) => all('cancelTurn', { sessionId: text(raw.sessionId) }),
  saveDraft: (raw) => all('saveDraft', readDraft(raw)),
  searchContext: (raw) =>
    all('searchContext', { requestId: asNumber(raw.requestId), query: text(raw.query) }),
  pickFiles: () => ({ type: 'pickFiles' }),
  addTerminalSelection: () => ({ type: 'addTerminalSelection' }),
  alwaysAllow: (raw) =>
    all('alwaysAllow', {
      sessionId: text(raw.sessionId),
      requestId: text(raw.requestId),
      scope: asOneOf(raw.scope, ['command', 'path', 'kind']),
    }),
  answerPermission: (raw) =>
    all('answerPermission', {
      sessionId: text(raw.sessionId),
      requestId: text(raw.requestId),
      optionId: text(raw.optionId),
    }),
  answerElicitation: (raw) =>
    all('answerElicitation', {
      sessionId: text(raw.sessionId),
      id: text(raw.id),
      answer: readAnswer(asObject(raw.answer)),
    }),
  setConfig: (raw) =>
    all('setConfig', {
      sessionId: text(raw.sessionId),
      configId: text(raw.configId),
      value: text(raw.value) ?? asBoolean(raw.value),
    }),
  selectAgent: (raw) => all('selectAgent', { agentId: text(raw.agentId) }),
  addAgent: (raw) => all('addAgent', { agentId: text(raw.agentId) }),
  openSession: (raw) => all('openSession', { sessionId: text(raw.sessionId) }),
  renameSession: (raw) => all('renameSession', { sessionId: text(raw.sessionId), title: text(raw.title) }),
  removeQueued: (raw) => all('removeQueued', { sessionId: text(raw.sessionId), id: text(raw.id) }),
  editQueued: (raw) =>
    all('editQueued', { sessionId: text(raw.sessionId), id: text(raw.id), text: text(raw.text) }),
  moveQueued: (raw) =>
    all('moveQueued', { sessionId: text(raw.sessionId), id: text(raw.id), index: asNumber(raw.index) }),
  sendQueuedNow: (raw) => all('sendQueuedNow', { sessionId: text(raw.sessionId), id: text(raw.id) }),
  steerQueued: (raw) => all('steerQueued', { sessionId: text(raw.sessionId), id: text(raw.id) }),
  openLink: (raw) => all('openLink', { href: text(raw.href) }),
  loadImage: (raw) => all('loadImage', { sessionId: text(raw.sessionId), path: text(raw.path) }),
  insertCode: (raw) => all('insertCode', { text: text(raw.text) }),
  newFile: (raw) => all('newFile', { text: text(raw.text), language: text(raw.language) }),
  killTerminal: (raw) =>
    all('killTerminal', { sessionId: text(raw.sessionId), terminalId: text(raw.terminalId) }),
  openTerminal: (raw) =>
    all('openTerminal', { sessionId: text(raw.sessionId), terminalId: text(raw.terminalId) }),
  openLocation: (raw) => {
    const path = text(raw.path);
    return path === undefined ? undefined : { type: 'openLocation', path, line: asNumber(raw.line) };
  },
  openDiff: (raw) =>
    all('openDiff', { sessionId: text(raw.sessionId), toolId: text(raw.toolId), index: asNumber(raw.index) }),
  keepChanges: (raw) => all('keepChanges', { sessionId: text(raw.sessionId) }),
  undoChanges: (raw) => all('undoChanges', { sessionId: text(raw.sessionId) }),
  reviewChanges: (raw) => all('reviewChanges', { sessionId: text(raw.sessionId) }),
  undoReview: () => ({ type: 'undoReview' }),
  restoreCheckpoint: (raw) =>
    all('restoreCheckpoint', { sessionId: text(raw.sessionId), turnId: asNumber(raw.turnId) }),
  runAction: (raw) => {
    const sessionId = text(raw.sessionId);
    const command = text(raw.command);
    return sessionId === undefined || command === undefined || !Object.hasOwn(actionCommands, command)
      ? undefined
      : { type: 'runAction', sessionId, command: command as ActionCommand, argument: text(raw.argument) };
  },
};

const actionCommands: Readonly<Record<ActionCommand, true>> = {
  retry: true,
  restartAgent: true,
  forceStop: true,
  signIn: true,
  showLog: true,
  openSettings: true,
  installAgent: true,
  continueInNewSession: true,
  reconnect: true,
  stopAgent: true,
  trustWorkspace: true,
  openFolder: true,
  undoReview: true,
};

function readDraft(raw: JsonObject): {
  readonly sessionId: string | undefined;
  readonly text: string | undefined;
  readonly attachments: readonly Attachment[];
} {
  return {
    sessionId: text(raw.sessionId),
    text: text(raw.text),
    attachments: readAttachments(raw.attachments),
  };
}

function text(value: unknown): string | undefined {
  const read = asString(value);
  return read === undefined || read.length > MAX_TEXT ? undefined : read;
}

type Present<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

/** The message, unless one of its fields is missing or of the wrong type. */
function all<T extends Type, F extends object>(
  type: T,
  fields: F,
): ({ readonly type: T } & Present<F>) | undefined {
  const isWhole = Object.values(fields).every((value) => value !== undefined);
  return isWhole ? ({ type, ...fields } as { readonly type: T } & Present<F>) : undefined;
}

function readAnswer(raw: JsonObject): ElicitationAnswer | undefined {
  if (raw.action === 'decline' || raw.action === 'cancel') {
    return { action: raw.action };
  }
  return raw.action === 'accept'
    ? { action: 'accept', content: readFormAnswer(asObject(raw.content)) }
    : undefined;
}

function readFormAnswer(raw: JsonObject): FormAnswer {
  // From entries and not by assignment: a key of the agent's may be `__proto__`.
  const answer = Object.entries(raw).flatMap(([key, value]): [string, FormAnswer[string]][] => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return [[key, value]];
    }
    return Array.isArray(value) ? [[key, value.filter((item) => typeof item === 'string')]] : [];
  });
  return Object.fromEntries(answer);
}

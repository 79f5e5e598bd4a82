import type { EndNotice } from '../../shared/transcript/events';
import type { NoticeAction } from '../../shared/transcript/model';
import { asError, ParleyError, type ErrorCode } from '../base/errors';

const showLog: NoticeAction = { label: 'Show log', command: 'showLog' };
const openSettings: NoticeAction = { label: 'Open settings', command: 'openSettings' };

/** What a user can do about each error. The words come with the error; the buttons from its code. */
const actions: Readonly<Record<ErrorCode, readonly NoticeAction[]>> = {
  agentNotFound: [openSettings, { label: 'Install agent…', command: 'installAgent' }, showLog],
  agentExited: [{ label: 'Restart agent', command: 'restartAgent' }, showLog],
  agentTimeout: [{ label: 'Try again', command: 'retry' }, showLog],
  protocolMismatch: [openSettings, showLog],
  authRequired: [],
  promptActive: [],
  sessionClosed: [{ label: 'Reconnect', command: 'reconnect' }],
  sessionNotFound: [
    { label: 'Continue in a new session', command: 'continueInNewSession' },
    { label: 'Try again', command: 'retry' },
  ],
  processLimit: [{ label: 'Stop an idle agent…', command: 'stopAgent' }],
  folderNotAllowed: [],
  notTrusted: [{ label: 'Manage trust', command: 'trustWorkspace' }],
  invalidConfig: [openSettings],
  requestFailed: [{ label: 'Try again', command: 'retry' }, showLog],
};

export function errorNotice(error: unknown, entryId: string): EndNotice {
  const { message } = asError(error);
  if (!ParleyError.is(error)) {
    return { entryId, severity: 'error', text: message, actions: [showLog] };
  }
  const detail = error.detail ?? signInHelp(error);
  return {
    entryId,
    severity: 'error',
    text: message,
    ...(detail === undefined || detail === '' ? {} : { detail }),
    actions: error.code === 'authRequired' ? signInActions(error) : actions[error.code],
  };
}

/** One button for each way the agent can do it; the others take a terminal, which the text must say. */
function signInActions(error: ParleyError): readonly NoticeAction[] {
  const methods = error.signIn.filter(({ type }) => type === 'agent');
  return [
    ...methods.map(({ id, name }): NoticeAction => ({ label: name, command: 'signIn', argument: id })),
    { label: 'Try again', command: 'retry' },
    showLog,
  ];
}

function signInHelp(error: ParleyError): string | undefined {
  const inTerminal = error.signIn.filter(({ type }) => type === 'terminal').map(({ name }) => name);
  if (error.code !== 'authRequired' || inTerminal.length === 0) {
    return undefined;
  }
  return `Sign in with the agent's own program in a terminal (${inTerminal.join(', ')}), then try again.`;
}

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
  authRequired: [{ label: 'Sign in', command: 'signIn' }, showLog],
  promptActive: [],
  sessionClosed: [{ label: 'Reconnect', command: 'reconnect' }],
  sessionNotFound: [{ label: 'Continue in a new session', command: 'continueInNewSession' }],
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
  return {
    entryId,
    severity: 'error',
    text: message,
    ...(error.detail === undefined || error.detail === '' ? {} : { detail: error.detail }),
    actions: actions[error.code],
  };
}

import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { asObject, asString } from '../../shared/json';
import { asError, ParleyError, type SignInMethod } from '../base/errors';
import { readAuthMethods } from './agentInfo';

const AUTH_REQUIRED = -32000;

/** Turns a failed request into our own error, with the agent's own words as its message. */
export function toParleyError(
  error: unknown,
  agentName: string,
  method: string,
  signIn: readonly SignInMethod[],
): ParleyError {
  if (ParleyError.is(error)) {
    return error;
  }
  if (!(error instanceof RequestError)) {
    return new ParleyError('requestFailed', asError(error).message, { cause: error });
  }
  if (error.code === AUTH_REQUIRED) {
    return new ParleyError('authRequired', error.message || `${agentName} asks you to sign in.`, {
      cause: error,
      rpcCode: error.code,
      // Some agents say it in `initialize`, some only now.
      signIn: signIn.length > 0 ? signIn : readAuthMethods(asObject(error.data).authMethods),
    });
  }
  return new ParleyError('requestFailed', readableMessage(error) || `${agentName} failed on ${method}.`, {
    cause: error,
    rpcCode: error.code,
    detail: error.data === undefined ? undefined : JSON.stringify(error.data, undefined, 2),
  });
}

/** Some agents put the provider's JSON into the message, others say "Internal error" and put the reason in data. */
function readableMessage(error: RequestError): string {
  const data = asObject(error.data);
  const reason = asString(data.details) ?? asString(data.message) ?? asString(data.detail);
  if (reason !== undefined && /^internal error$/i.test(error.message)) {
    return reason;
  }
  try {
    return asString(asObject(asObject(JSON.parse(error.message)).error).message) ?? error.message;
  } catch {
    return error.message;
  }
}

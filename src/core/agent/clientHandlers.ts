import { isAbsolute } from 'node:path';
import { methods, RequestError } from '@agentclientprotocol/sdk/unstable';
import { asNumber, asObject, asObjects, asOneOf, asString, type JsonObject } from '../../shared/json';
import type { PermissionOption } from '../../shared/transcript/model';
import { FileProblem, type FilePort } from '../ports';
import type { SessionSink } from './agentSession';
import type { ClientTerminals } from './clientTerminals';
import { readElicitation } from './elicitations';
import type { Quirks } from './quirks';
import { toolEvents, type EventContext } from './toEvents';

const { client } = methods;

export interface ClientRequestContext {
  readonly files: FilePort;
  readonly terminals: ClientTerminals;
  readonly events: EventContext;
  readonly quirks: Quirks;
  /** For questions that belong to a request of ours instead of a session. */
  readonly askOutsideSession: SessionSink['askElicitation'];
  findSink(agentSessionId: string): SessionSink | undefined;
}

/** Answers what an agent asks of its client. Parameters come unparsed: one odd field must not cost a question. */
export async function answerAgent(
  method: string,
  rawParams: unknown,
  signal: AbortSignal,
  context: ClientRequestContext,
): Promise<unknown> {
  const params = asObject(rawParams);
  const sessionId = asString(params.sessionId) ?? '';
  const sink = context.findSink(sessionId);
  if (sink === undefined && method === client.elicitation.create && sessionId === '') {
    return askElicitation(params, { askElicitation: context.askOutsideSession }, signal);
  }
  if (sink === undefined) {
    throw method in served ? RequestError.sessionNotFound(sessionId) : RequestError.methodNotFound(method);
  }
  sink.onActivity();
  switch (method) {
    case client.session.requestPermission:
      return askPermission(params, sink, signal, context.events);
    case client.elicitation.create:
      return askElicitation(params, sink, signal);
    case client.fs.readTextFile:
      return asFileAnswer(async () => ({ content: await readFile(sessionId, params, sink, context) }));
    case client.fs.writeTextFile:
      return asFileAnswer(async () => {
        const content = asString(params.content) ?? '';
        await context.files.writeTextFile({
          sessionId,
          root: sink.workdir,
          path: absolutePath(params),
          content,
        });
        return {};
      });
    case client.terminal.create:
      return context.terminals.create(sessionId, params, sink);
    case client.terminal.output:
      return context.terminals.output(sessionId, params);
    case client.terminal.waitForExit:
      return context.terminals.waitForExit(sessionId, params, signal);
    case client.terminal.kill:
      context.terminals.kill(sessionId, params);
      return {};
    case client.terminal.release:
      context.terminals.release(sessionId, params);
      return {};
    default:
      throw RequestError.methodNotFound(method);
  }
}

const served: Readonly<Record<string, true>> = {
  [client.session.requestPermission]: true,
  [client.elicitation.create]: true,
  [client.fs.readTextFile]: true,
  [client.fs.writeTextFile]: true,
  [client.terminal.create]: true,
  [client.terminal.output]: true,
  [client.terminal.waitForExit]: true,
  [client.terminal.kill]: true,
  [client.terminal.release]: true,
};

async function askPermission(
  params: JsonObject,
  sink: SessionSink,
  signal: AbortSignal,
  events: EventContext,
): Promise<object> {
  const tool = asObject(params.toolCall);
  const toolId = asString(tool.toolCallId);
  if (toolId === undefined) {
    throw RequestError.invalidParams(undefined, 'toolCall.toolCallId is missing');
  }
  // The request may be the first that is heard of this call (real-agents: Gemini, Codex, Kilo).
  sink.onEvents(toolEvents(tool, events));
  const outcome = await sink.askPermission({ toolId, options: readOptions(params.options) }, signal);
  return {
    outcome:
      outcome.kind === 'selected'
        ? { outcome: 'selected', optionId: outcome.optionId }
        : { outcome: 'cancelled' },
  };
}

function readOptions(value: unknown): readonly PermissionOption[] {
  return asObjects(value).flatMap((option) => {
    const id = asString(option.optionId);
    if (id === undefined) {
      return [];
    }
    const kind =
      asOneOf(option.kind, ['allow_once', 'allow_always', 'reject_once', 'reject_always']) ?? 'other';
    return [{ id, name: asString(option.name) ?? id, kind }];
  });
}

async function askElicitation(
  params: JsonObject,
  sink: Pick<SessionSink, 'askElicitation'>,
  signal: AbortSignal,
): Promise<object> {
  const request = readElicitation(params);
  if (request === undefined) {
    return { action: 'cancel' };
  }
  const elicitationId = asString(params.elicitationId);
  return sink.askElicitation({ elicitationId, message: asString(params.message) ?? '', request }, signal);
}

async function readFile(
  sessionId: string,
  params: JsonObject,
  sink: SessionSink,
  { files, quirks }: ClientRequestContext,
): Promise<string> {
  const line = asNumber(params.line);
  const limit = asNumber(params.limit);
  try {
    return await files.readTextFile({
      sessionId,
      root: sink.workdir,
      path: absolutePath(params),
      line,
      limit,
    });
  } catch (error) {
    if (quirks.missingFileIsEmpty && isFileProblem(error) && error.kind === 'notFound') {
      return '';
    }
    throw error;
  }
}

function absolutePath(params: JsonObject): string {
  const path = asString(params.path) ?? '';
  if (!isAbsolute(path)) {
    throw new FileProblem('invalid', `The path must be absolute: ${path}`);
  }
  return path;
}

async function asFileAnswer(serve: () => Promise<object>): Promise<object> {
  try {
    return await serve();
  } catch (error) {
    throw isFileProblem(error) ? fileError(error) : error;
  }
}

/** By name: the adapter that throws it is in another bundle. */
function isFileProblem(error: unknown): error is FileProblem {
  return error instanceof Error && error.name === 'FileProblem' && 'kind' in error;
}

function fileError(problem: FileProblem): RequestError {
  switch (problem.kind) {
    case 'notFound':
      return new RequestError(-32002, problem.message);
    case 'invalid':
      return new RequestError(-32602, problem.message);
    case 'refused':
    case 'failed':
      return new RequestError(-32603, problem.message);
  }
}

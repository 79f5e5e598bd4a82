import { isAbsolute } from 'node:path';
import { methods, RequestError } from '@agentclientprotocol/sdk/unstable';
import { asNumber, asObject, asObjects, asOneOf, asString, type JsonObject } from '../../shared/json';
import type { PermissionOption } from '../../shared/transcript/model';
import { FileProblem, type FilePort } from '../ports';
import type { SessionSink } from './agentSession';
import type { ClientTerminals } from './clientTerminals';
import { readElicitation } from './elicitations';
import { asFileAnswer, isFileProblem } from './fileAnswers';
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
  /** Also for sessions of sub-agents, whose questions are asked in the conversation they belong to. */
  findAsker(agentSessionId: string): SessionSink | undefined;
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
  const isQuestion = method === client.session.requestPermission || method === client.elicitation.create;
  const isScoped = sessionId !== '';
  const sink = isQuestion && isScoped ? context.findAsker(sessionId) : context.findSink(sessionId);
  if (sink === undefined && method === client.elicitation.create && !isScoped) {
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
      return asFileAnswer(async () => ({ content: await readFile(params, sink, context) }));
    case client.fs.writeTextFile:
      return asFileAnswer(async () => {
        const content = asString(params.content);
        if (content === undefined) {
          // Else a mistake of the agent would empty the file.
          throw new FileProblem('invalid', 'content is missing');
        }
        await context.files.writeTextFile({
          sessionId: sink.id,
          roots: sink.roots,
          path: absolutePath(params),
          content,
        });
        return {};
      });
    case client.terminal.create:
      return asFileAnswer(() => context.terminals.create(sessionId, params, sink));
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
  params: JsonObject,
  sink: SessionSink,
  { files, quirks }: ClientRequestContext,
): Promise<string> {
  const line = asNumber(params.line);
  const limit = asNumber(params.limit);
  try {
    return await files.readTextFile({
      sessionId: sink.id,
      roots: sink.roots,
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

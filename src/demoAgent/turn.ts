import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import {
  methods,
  type AgentContext,
  type PlanEntry,
  type SendRequestOptions,
  type SessionUpdate,
  type ToolCall,
} from '@agentclientprotocol/sdk/unstable';
import type { ClientFeatures } from './clientFeatures';
import type { DemoOptions } from './demoOptions';
import type { LiveSession } from './liveSession';
import { paceFactor } from './settings';
import { ToolRun } from './toolRun';

const CHUNK_MS = 70;
const CONTEXT_TOKENS = 200_000;
/** How many unpaced chunks go out before the agent looks at its input again, where a cancel may wait. */
const CHUNKS_PER_YIELD = 16;

/** What a scene does on stage. Every wait in it ends with an error as soon as the turn is cancelled. */
export class Turn {
  private messageId = randomUUID();
  private chunkCount = 0;
  private openTools: ToolRun[] = [];

  constructor(
    readonly session: LiveSession,
    readonly client: AgentContext,
    readonly features: ClientFeatures,
    readonly signal: AbortSignal,
    readonly options: DemoOptions,
  ) {}

  /** For requests to the client: stop waiting, and tell the client so, when the turn is cancelled. */
  get requestOptions(): SendRequestOptions {
    return { cancellationSignal: this.signal, stopWaitingOnCancel: true };
  }

  /** Streams Markdown a few words at a time. */
  async say(markdown: string): Promise<void> {
    for (const text of wordGroups(markdown)) {
      await this.pause(CHUNK_MS);
      await this.sayChunk(text);
    }
  }

  async sayChunk(text: string): Promise<void> {
    await this.yieldSometimes();
    await this.send({
      sessionUpdate: 'agent_message_chunk',
      messageId: this.messageId,
      content: { type: 'text', text },
    });
  }

  async think(text: string): Promise<void> {
    if (!this.session.settings.showsThoughts) {
      return;
    }
    const messageId = randomUUID();
    for (const part of wordGroups(text)) {
      await this.pause(CHUNK_MS);
      await this.send({
        sessionUpdate: 'agent_thought_chunk',
        messageId,
        content: { type: 'text', text: part },
      });
    }
    this.messageId = randomUUID();
  }

  async plan(entries: PlanEntry[]): Promise<void> {
    await this.send({ sessionUpdate: 'plan', entries });
  }

  async showUsage(): Promise<void> {
    await this.send({
      sessionUpdate: 'usage_update',
      used: this.session.usedTokens,
      size: CONTEXT_TOKENS,
      cost: { amount: 0, currency: 'USD' },
    });
  }

  async startTool(call: Omit<ToolCall, 'toolCallId'>): Promise<ToolRun> {
    const tool = new ToolRun(`tool-${randomUUID()}`, this);
    this.openTools.push(tool);
    this.messageId = randomUUID();
    await this.send({ sessionUpdate: 'tool_call', toolCallId: tool.id, status: 'pending', ...call });
    return tool;
  }

  async pause(ms: number): Promise<void> {
    const factor = this.options.isPaced ? paceFactor(this.session.settings) : 0;
    if (factor > 0) {
      await this.wait(ms * factor);
    }
  }

  /** A pause that no setting shortens. */
  async wait(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.signal });
  }

  /** `remembered` replaces the update in a replay, for content that lives only as long as the turn. */
  async send(update: SessionUpdate, remembered = update): Promise<void> {
    this.signal.throwIfAborted();
    if (isChunk(update) && update.content.type === 'text') {
      this.session.countText(update.content.text);
    }
    this.session.remember(remembered);
    await this.client.notify(methods.client.session.update, { sessionId: this.session.id, update });
  }

  /** The client closes what a cancelled turn leaves open; the replay has to do so too. */
  rememberOpenToolsAsFailed(): void {
    for (const tool of this.openTools) {
      if (!tool.isFinished) {
        this.session.remember({ sessionUpdate: 'tool_call_update', toolCallId: tool.id, status: 'failed' });
      }
    }
    this.openTools = [];
  }

  private async yieldSometimes(): Promise<void> {
    this.chunkCount += 1;
    if (this.chunkCount % CHUNKS_PER_YIELD === 0) {
      await setImmediate();
    }
  }
}

/** Cuts after every third word, keeping all white space, so that joining gives the text back. */
export function wordGroups(text: string): string[] {
  return text.match(/(?:\s*\S+){1,3}\s*/g) ?? [];
}

function isChunk(
  update: SessionUpdate,
): update is Extract<SessionUpdate, { sessionUpdate: 'agent_message_chunk' }> {
  return update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk';
}

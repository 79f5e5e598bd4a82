import { asObject, asString, isObject, type JsonObject } from '../../shared/json';
import type { Logger } from '../base/log';
import type { SessionSink } from './agentSession';
import { meantUpdate, type Quirks } from './quirks';
import { toEvents, type EventContext } from './toEvents';

/** Early updates kept per unknown session; enough for a replayed fork, little enough not to matter. */
const MAX_EARLY_UPDATES = 10_000;
const MAX_EARLY_SESSIONS = 20;

/** Hands each update to its session. What comes before the session is known waits for it. */
export class UpdateRouter {
  private readonly sinks = new Map<string, SessionSink>();
  private readonly early = new Map<string, JsonObject[]>();
  private readonly detached = new Set<string>();
  /** Sessions of sub-agents, with the one that announced them. */
  private readonly parents = new Map<string, string>();

  constructor(
    private readonly events: EventContext,
    private readonly log: Logger,
    private readonly quirks: () => Quirks,
  ) {}

  route(params: unknown): void {
    const { sessionId, update } = asObject(params);
    const id = asString(sessionId);
    if (id === undefined || !isObject(update)) {
      // Without parameters there is nothing to stringify.
      const shown = JSON.stringify(params ?? null).slice(0, 500);
      this.log.warn(`An update without a session or content was ignored: ${shown}`);
      return;
    }
    const sink = this.sinks.get(id);
    if (sink === undefined) {
      this.keepEarly(id, update);
      return;
    }
    this.noteChild(id, update);
    sink.onActivity();
    this.hand(update, sink);
  }

  find(sessionId: string): SessionSink | undefined {
    return this.sinks.get(sessionId);
  }

  /**
   * Who answers a question of that session. Sub-agents ask under ids of their own, announced or not; where it
   * can only be one conversation's, it is asked there and not lost.
   */
  findAsker(sessionId: string): SessionSink | undefined {
    const seen = new Set<string>();
    let id: string | undefined = sessionId;
    while (id !== undefined && !seen.has(id)) {
      const sink = this.sinks.get(id);
      if (sink !== undefined) {
        return sink;
      }
      seen.add(id);
      id = this.parents.get(id);
    }
    const isNew = seen.size === 1 && !this.detached.has(sessionId);
    return isNew && this.sinks.size === 1 ? this.attached[0] : undefined;
  }

  get attached(): readonly SessionSink[] {
    return [...this.sinks.values()];
  }

  attach(sessionId: string, sink: SessionSink): void {
    this.sinks.set(sessionId, sink);
    this.detached.delete(sessionId);
    const waiting = this.early.get(sessionId) ?? [];
    this.early.delete(sessionId);
    for (const update of waiting) {
      this.hand(update, sink);
    }
  }

  detach(sessionId: string): void {
    this.sinks.delete(sessionId);
    this.detached.add(sessionId);
  }

  private hand(update: JsonObject, sink: SessionSink): void {
    sink.onEvents(toEvents(meantUpdate(update, this.quirks()), this.events));
  }

  private noteChild(parentId: string, update: JsonObject): void {
    const child = asString(update.sessionId);
    if (update.sessionUpdate === 'subagent_update' && child !== undefined) {
      this.parents.set(child, parentId);
    }
  }

  private keepEarly(id: string, update: JsonObject): void {
    // What an agent still says of a session that was closed is not early, it is late.
    if (this.detached.has(id)) {
      this.log.debug(`Late update for the closed session ${id} ignored`);
      return;
    }
    if (!this.early.has(id) && this.early.size >= MAX_EARLY_SESSIONS) {
      const oldest = this.early.keys().next().value;
      if (oldest !== undefined) {
        this.early.delete(oldest);
      }
    }
    const waiting = this.early.get(id) ?? [];
    if (waiting.length < MAX_EARLY_UPDATES) {
      waiting.push(update);
    }
    this.early.set(id, waiting);
  }
}

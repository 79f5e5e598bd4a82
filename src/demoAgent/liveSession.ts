import type { SessionUpdate, ToolKind } from '@agentclientprotocol/sdk/unstable';
import { appendUpdate, type SessionRecord } from './sessionRecord';
import type { SessionStore } from './sessionStore';
import type { Settings } from './settings';

/** A conversation that the client has open. */
export class LiveSession {
  /** Kinds of tool for which the user chose "always"; forgotten when the session closes. */
  readonly alwaysAllowed = new Set<ToolKind>();
  private turn: AbortController | undefined;
  private tokens = 1200;
  private isDiscarded = false;

  constructor(
    private record: SessionRecord,
    private readonly store: SessionStore,
  ) {}

  get id(): string {
    return this.record.sessionId;
  }

  get cwd(): string {
    return this.record.cwd;
  }

  get title(): string | undefined {
    return this.record.title;
  }

  get updatedAt(): string {
    return this.record.updatedAt;
  }

  get settings(): Settings {
    return this.record.settings;
  }

  get updates(): readonly SessionUpdate[] {
    return this.record.updates;
  }

  /** Made up from the amount of text, since there is no model that counts. */
  get usedTokens(): number {
    return this.tokens;
  }

  countText(text: string): void {
    this.tokens += Math.ceil(text.length / 4);
  }

  remember(update: SessionUpdate): void {
    this.record = { ...this.record, updates: appendUpdate(this.record.updates, update) };
  }

  rename(title: string): void {
    this.record = { ...this.record, title };
  }

  async choose(settings: Settings): Promise<void> {
    this.record = { ...this.record, settings };
    await this.write();
  }

  async save(): Promise<void> {
    this.record = { ...this.record, updatedAt: new Date().toISOString() };
    await this.write();
  }

  /** Ends the turn and writes nothing more, so that a deleted session stays deleted. */
  discard(): void {
    this.isDiscarded = true;
    this.cancelTurn();
  }

  /** The signal of a new turn, or undefined while another one runs. */
  beginTurn(): AbortSignal | undefined {
    if (this.turn) {
      return undefined;
    }
    this.turn = new AbortController();
    return this.turn.signal;
  }

  endTurn(): void {
    this.turn = undefined;
  }

  cancelTurn(): void {
    this.turn?.abort();
  }

  private async write(): Promise<void> {
    if (!this.isDiscarded) {
      await this.store.save(this.record);
    }
  }
}

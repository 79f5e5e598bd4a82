import type { ToolCallUpdate } from '@agentclientprotocol/sdk/unstable';
import type { Turn } from './turn';

type ToolChange = Omit<ToolCallUpdate, 'toolCallId'>;

/** One tool call on stage. */
export class ToolRun {
  isFinished = false;

  constructor(
    readonly id: string,
    private readonly turn: Turn,
  ) {}

  async update(change: ToolChange, remembered: ToolChange = change): Promise<void> {
    const head = { sessionUpdate: 'tool_call_update', toolCallId: this.id } as const;
    await this.turn.send({ ...head, ...change }, { ...head, ...remembered });
    this.isFinished = change.status === 'completed' || change.status === 'failed';
  }

  /** Ends the call with one paragraph of text in it. */
  async finish(status: 'completed' | 'failed', text: string): Promise<void> {
    await this.update({ status, content: [{ type: 'content', content: { type: 'text', text } }] });
  }
}

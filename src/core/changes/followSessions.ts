import type { ToolUpserted, TranscriptEvent } from '../../shared/transcript/events';
import type { Entry, ToolEntry, Transcript } from '../../shared/transcript/model';
import { isWaitingForUser } from '../../shared/transcript/select';
import { asError } from '../base/errors';
import { DisposableStore } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { Session } from '../session/session';
import type { SessionHooks } from '../session/sessionHooks';
import type { Sessions } from '../session/sessions';
import type { Changes, ChangingSession } from './model';
import { canWrite, changeablePaths, reportedEdits } from './toolCallFiles';

/** Tells the changes what the sessions do, in the order in which they do it. */
export class FollowSessions extends DisposableStore implements SessionHooks {
  /** Sessions that only wait for the user, with the work on that. */
  private readonly waiting = new Map<string, Promise<void>>();
  /** Agents that have told of a tool call, in any session. */
  private readonly tellingAgents = new Set<string>();

  constructor(
    private readonly changes: Changes,
    private readonly log: Logger,
  ) {
    super();
  }

  listen(sessions: Pick<Sessions, 'onDidDispatch'>): void {
    this.add(sessions.onDidDispatch(({ session, event }) => this.take(session, event)));
  }

  async beforeTurn(session: Session, turnId: number): Promise<void> {
    const tells =
      this.tellingAgents.has(session.record.agentId) ||
      session.transcript.entries.some(({ kind }) => kind === 'tool');
    await this.changes.turnStarted(asChanging(session), turnId, tells);
  }

  async afterTurn(session: Session, turnId: number): Promise<number> {
    await this.beforeAnswer(session);
    await this.changes.turnEnded(asChanging(session), turnId);
    return this.changes.changedIn(session.id, turnId).length;
  }

  async beforeAnswer(session: Session): Promise<void> {
    const started = this.waiting.get(session.id);
    if (started !== undefined) {
      this.waiting.delete(session.id);
      await started;
      await this.changes.waitingEnded(asChanging(session));
    }
  }

  deleted(sessionId: string): void {
    this.waiting.delete(sessionId);
    this.changes.sessionDeleted(sessionId);
  }

  private take(session: Session, event: TranscriptEvent): void {
    switch (event.type) {
      case 'permissionAsked':
      case 'elicitationAsked':
        // What a rule answers is answered by now, or in the same breath.
        queueMicrotask(() => this.look(session));
        return;
      case 'toolUpserted':
        this.look(session);
        this.tellWork(session, event);
        return;
      case 'terminalExited':
        // Agents may run commands without a word about a tool call.
        this.changes.workEnded(asChanging(session), { key: event.terminalId, paths: undefined });
        return;
      default:
    }
  }

  private tellWork(session: Session, { id, status, content }: ToolUpserted): void {
    const tool = session.transcript.entries.findLast((entry) => entry.kind === 'tool' && entry.id === id);
    if (!session.isRunning || tool?.kind !== 'tool') {
      return;
    }
    this.tellingAgents.add(session.record.agentId);
    const work = { key: id, paths: changeablePaths(tool, asChanging(session)) };
    if (tool.status === 'pending' || tool.status === 'running') {
      this.changes.workStarted(asChanging(session), work);
      return;
    }
    this.changes.workEnded(asChanging(session), work);
    if (tool.status === 'completed' && (status !== undefined || content !== undefined)) {
      for (const [path, edits] of reportedEdits(tool, asChanging(session))) {
        void this.tell(this.changes.agentReported(asChanging(session), path, edits));
      }
    }
  }

  private look(session: Session): void {
    const isWaiting = session.isRunning && isOnlyWaiting(session.transcript);
    const isKnown = this.waiting.has(session.id);
    if (isWaiting && !isKnown) {
      this.waiting.set(session.id, this.tell(this.changes.waitingStarted(asChanging(session))));
    } else if (isKnown && !isWaiting) {
      void this.tell(this.beforeAnswer(session));
    }
  }

  private async tell(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.log.warn(`A change of an agent was not seen: ${asError(error).message}`);
    }
  }
}

function asChanging({ id, workdir, roots }: Session): ChangingSession {
  return { id, workdir, roots };
}

/** A question is open, and nothing runs beside it that could write. */
function isOnlyWaiting(transcript: Transcript): boolean {
  if (!isWaitingForUser(transcript)) {
    return false;
  }
  const { entries } = transcript;
  // An agent that asks with a form does so from inside a tool call, mostly of no particular kind.
  const isForm = entries.some((entry) => entry.kind === 'elicitation' && entry.outcome === undefined);
  const start = entries.findLastIndex((entry) => entry.kind === 'user' && entry.turnId !== undefined);
  return !entries.some(
    (entry, index) => index > start && isAtWork(entry) && !(isForm && entry.toolKind === 'other'),
  );
}

/** Agents do not all say that a call runs once it is allowed. */
function isAtWork(entry: Entry): entry is ToolEntry {
  if (entry.kind !== 'tool' || isAsked(entry) || !canWrite(entry.toolKind)) {
    return false;
  }
  return entry.status === 'running' || (entry.status === 'pending' && entry.permissions.length > 0);
}

function isAsked(tool: ToolEntry): boolean {
  return tool.permissions.some(({ outcome }) => outcome === undefined);
}

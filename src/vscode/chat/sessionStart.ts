import * as vscode from 'vscode';
import { emptyTranscript, type Transcript } from '../../shared/transcript/model';
import { reduce } from '../../shared/transcript/reduce';
import { asError } from '../../core/base/errors';
import { emptyDraft, joinDrafts, type Draft } from '../../core/session/drafts';
import { errorNotice } from '../../core/session/errorNotice';
import type { Session } from '../../core/session/session';
import { DEMO_AGENT } from '../config';
import type { ChatServices } from './chat';
import { openingBlocks } from './openingBlocks';

export interface StartedSession {
  readonly session: Session;
  /** Nobody has said anything to it. */
  readonly isBlank: boolean;
}

/** An attempt to start a session. */
interface Attempt {
  readonly agentId: string;
  isGivenUp: boolean;
  /** The user looks at something else by now. */
  isLeft: boolean;
}

/**
 * The session that a chat is about to have. Until it is there its prompts are kept in the queue of the session without
 * an id: a reload must not lose them.
 */
export class SessionStart {
  /** What is shown meanwhile: the first prompt, or why there is no session. */
  private opening: Transcript = emptyTranscript;
  private attempt: Attempt | undefined;
  private chosenAgentId: string | undefined;

  constructor(
    private readonly services: ChatServices,
    private readonly shows: {
      changed(): void;
      /** What waited is in the composer again. */
      gaveBack(): void;
      started(started: StartedSession): void;
    },
  ) {}

  get transcript(): Transcript {
    return this.opening;
  }

  /** The agent that is meant while there is no session. */
  get agentId(): string {
    return this.chosenAgentId ?? this.services.config.defaultAgentId();
  }

  get progress(): string | undefined {
    const { attempt } = this;
    const name = attempt && (this.services.config.findAgent(attempt.agentId)?.name ?? attempt.agentId);
    return name === undefined ? undefined : vscode.l10n.t('Starting {0}…', name);
  }

  chooseAgent(agentId: string): void {
    this.chosenAgentId = agentId;
    if (agentId === DEMO_AGENT) {
      void this.services.offer.decline();
    }
  }

  /** Nothing of it is shown any more. */
  clear(): void {
    this.opening = emptyTranscript;
  }

  /** The session goes on being started, but where the user has gone it does not get in the way. */
  leave(): void {
    if (this.attempt !== undefined) {
      this.attempt.isLeft = true;
    }
    this.clear();
  }

  /** Starts a session and sends what waits for it. Why it failed is shown, and thrown. */
  async start(agentId: string, prompt: Draft = emptyDraft, folder?: string): Promise<Session> {
    const { queues, newId, sessions, workspace } = this.services;
    if (prompt.text !== '' || prompt.attachments.length > 0) {
      queues.add('', { id: newId(), ...prompt });
    }
    this.chooseAgent(agentId);
    const attempt = { agentId, isGivenUp: false, isLeft: false };
    this.attempt = attempt;
    this.showOpening();
    try {
      const session = await sessions.start({ agentId, folder: folder ?? (await workspace.chooseFolder()) });
      this.started(session, attempt);
      return session;
    } catch (error) {
      this.services.log.error(asError(error));
      if (this.attempt === attempt) {
        this.giveUp();
        const notice = errorNotice(error, newId());
        this.opening = reduce(this.opening, { type: 'noticeAdded', at: Date.now(), ...notice });
        this.shows.changed();
        this.shows.gaveBack();
      }
      throw error;
    }
  }

  /** While a session is being started, further prompts wait for it too. */
  async submit(prompt: Draft): Promise<void> {
    const { queues, drafts, newId } = this.services;
    drafts.set('', emptyDraft);
    if (this.attempt !== undefined) {
      queues.add('', { id: newId(), ...prompt });
      return;
    }
    // The reason is shown where the prompt was.
    await this.start(this.agentId, prompt).catch(() => undefined);
  }

  /** With what was put back into the composer when it failed. */
  async retry(): Promise<void> {
    await this.submit(this.services.drafts.get(''));
  }

  stop(): void {
    if (this.attempt !== undefined) {
      this.attempt.isGivenUp = true;
      this.giveUp();
      this.shows.changed();
      this.shows.gaveBack();
    }
  }

  /** Puts what waited for a session back into the composer, in front of what was typed since. */
  giveUp(): void {
    const { queues, drafts } = this.services;
    drafts.set('', joinDrafts([...queues.of(''), drafts.get('')]));
    queues.remove('');
    this.attempt = undefined;
    this.clear();
  }

  private started(session: Session, attempt: Attempt): void {
    const { sessions, queues } = this.services;
    if (attempt.isGivenUp) {
      // Stopped meanwhile: the prompts are back in the composer, and nobody wants this session.
      void sessions.delete(session.id);
      return;
    }
    const waiting = queues.of('');
    queues.remove('');
    for (const prompt of waiting) {
      sessions.submit(session.id, prompt.text, prompt.attachments);
    }
    const wasShown = this.attempt === attempt && !attempt.isLeft;
    if (this.attempt === attempt) {
      this.attempt = undefined;
    }
    if (wasShown) {
      this.shows.started({ session, isBlank: waiting.length === 0 });
    }
  }

  /** The first prompt as it will look, so that the user sees at once that it was taken. */
  private showOpening(): void {
    const [first] = this.services.queues.of('');
    this.clear();
    if (first !== undefined) {
      const blocks = openingBlocks(first);
      const entryId = first.id;
      this.opening = reduce(this.opening, {
        type: 'turnStarted',
        at: Date.now(),
        turnId: 0,
        entryId,
        blocks,
      });
    }
    this.shows.changed();
  }
}

import { asObject, asOneOf } from '../../shared/json';
import { Emitter } from '../base/emitter';
import { DisposableStore } from '../base/lifecycle';
import type { Memento } from '../ports';
import type { Session } from './session';
import type { Sessions } from './sessions';

const KEY = 'parley.unseenTurns';

export type UnseenOutcome = 'done' | 'failed';

/** Sessions whose turn ended out of sight, until the user sees them; kept over reloads. */
export class UnseenTurns extends DisposableStore {
  private readonly outcomes: Map<string, UnseenOutcome>;
  private readonly changed = this.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly sessions: Pick<Sessions, 'get' | 'onDidDispatch'>,
    private readonly memento: Memento,
    private readonly isInSight: (session: Session) => boolean,
  ) {
    super();
    this.outcomes = readOutcomes(memento.get(KEY));
    this.add(
      sessions.onDidDispatch(({ session, event }) => {
        // Who cancels a turn knows that it ended.
        if (event.type !== 'turnEnded' || event.outcome.kind === 'cancelled' || isInSight(session)) {
          return;
        }
        this.outcomes.set(session.id, event.outcome.kind);
        this.save();
      }),
    );
  }

  of(sessionId: string): UnseenOutcome | undefined {
    return this.outcomes.get(sessionId);
  }

  /** A chat came to sight or shows another session. */
  sightChanged(): void {
    const gone = [...this.outcomes.keys()].filter((id) => {
      const session = this.sessions.get(id);
      return session === undefined || this.isInSight(session);
    });
    gone.forEach((id) => this.outcomes.delete(id));
    if (gone.length > 0) {
      this.save();
    }
  }

  private save(): void {
    void this.memento.update(KEY, Object.fromEntries(this.outcomes));
    this.changed.fire();
  }
}

function readOutcomes(stored: unknown): Map<string, UnseenOutcome> {
  const entries = Object.entries(asObject(stored)).flatMap(([id, value]) => {
    const outcome = asOneOf(value, ['done', 'failed'] as const);
    return outcome === undefined ? [] : [[id, outcome] as const];
  });
  return new Map(entries);
}

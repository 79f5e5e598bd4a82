import { hunkIds } from './fileChange';
import type { FolderParts } from './folderParts';
import type { Checkpoint, FolderState } from './folderState';

const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_DAYS = 30;
const MOST_CHECKPOINTS = 200;
const MOST_ENTRIES = 20_000;

export function findCheckpoint(
  { checkpoints }: FolderState,
  sessionId: string,
  turnId: number,
): Checkpoint | undefined {
  return checkpoints.find((point) => point.sessionId === sessionId && point.turnId === turnId);
}

/** Before a turn: its files can be given back as they are now. */
export async function addCheckpoint(parts: FolderParts, sessionId: string, turnId: number): Promise<void> {
  const { state, snapshots, folder, now, log } = parts;
  const snapshot = state.snapshot?.id;
  if (snapshot !== undefined) {
    try {
      await snapshots.retain(folder, snapshot, retainedName(sessionId, turnId));
    } catch (error) {
      log.warn(`A snapshot of ${folder} could not be retained: ${String(error)}`);
    }
  }
  await removeCheckpoints(parts, (point) => point.sessionId === sessionId && point.turnId === turnId, false);
  const pending = Object.fromEntries([...state.changes].map(([path, change]) => [path, hunkIds(change)]));
  state.checkpoints.push({ sessionId, turnId, snapshot, sequence: state.nextSequence, at: now(), pending });
  await dropOld(parts);
}

export async function dropSession(parts: FolderParts, sessionId: string): Promise<void> {
  await removeCheckpoints(parts, (point) => point.sessionId === sessionId, true);
  dropJournal(parts.state);
}

/** Names of sessions come from agents: any characters, and git is particular about names. */
function retainedName(sessionId: string, turnId: number): string {
  return `session/${encodeURIComponent(sessionId).replaceAll('.', '%2E')}/${turnId}`;
}

async function dropOld(parts: FolderParts): Promise<void> {
  const { checkpoints, journal } = parts.state;
  const oldest = parts.now() - MOST_DAYS * DAY_MS;
  const surplus = new Set(checkpoints.slice(0, Math.max(0, checkpoints.length - MOST_CHECKPOINTS)));
  const firstKept = journal.at(-MOST_ENTRIES)?.sequence ?? 0;
  await removeCheckpoints(
    parts,
    (point) => point.at < oldest || surplus.has(point) || point.sequence < firstKept,
    true,
  );
  dropJournal(parts.state);
}

/** What came before the oldest checkpoint is of no use. */
function dropJournal(state: FolderState): void {
  const first = Math.min(...state.checkpoints.map(({ sequence }) => sequence));
  const kept = state.journal.filter(({ sequence }) => sequence >= first);
  state.journal.splice(0, state.journal.length, ...kept);
}

async function removeCheckpoints(
  { state, snapshots, folder, log }: FolderParts,
  isRemoved: (point: Checkpoint) => boolean,
  isReleased: boolean,
): Promise<void> {
  const removed = state.checkpoints.filter(isRemoved);
  const kept = state.checkpoints.filter((point) => !removed.includes(point));
  state.checkpoints.splice(0, state.checkpoints.length, ...kept);
  for (const { sessionId, turnId, snapshot } of isReleased ? removed : []) {
    try {
      if (snapshot !== undefined) {
        await snapshots.release(folder, retainedName(sessionId, turnId));
      }
    } catch (error) {
      log.warn(`A snapshot of ${folder} could not be released: ${String(error)}`);
    }
  }
}

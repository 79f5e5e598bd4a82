import { contentOf, hasSameContent, isSame, isText, linesOf } from './fileVersion';
import type { FileMode, FileVersion } from './model';
import {
  editText,
  keepHunks,
  linesBefore,
  undoHunks,
  type Editor,
  type TextChange,
  type TextHunk,
} from './textChange';

/** What agents did to one file and nobody has kept or undone yet. */
export type FileChange = TextFileChange | WholeChange;

export interface TextFileChange {
  readonly kind: 'text';
  readonly text: TextChange;
  readonly mode: FileMode;
  /** Set when an agent changed it. */
  readonly modeBefore: ModeBefore | undefined;
}

export interface ModeBefore extends Owner {
  readonly mode: FileMode;
}

/** Created, deleted, or not a text: one decision for all of it. */
export interface WholeChange {
  readonly kind: 'whole';
  readonly id: string;
  readonly before: FileVersion | undefined;
  readonly now: FileVersion | undefined;
  readonly owner: Owner;
  readonly isMixed: boolean;
}

export interface Owner {
  readonly sessionId: string;
  readonly turnId: number;
}

/** Which part of a file's changes. */
export interface PartSelection {
  readonly sessionId?: string;
  readonly hunkId?: string;
}

/** `change` is `undefined` when nothing is left to decide. */
export interface Reviewed {
  readonly change: FileChange | undefined;
  readonly version: FileVersion | undefined;
  readonly isTouched: boolean;
  readonly hasConflict: boolean;
}

export type NewId = () => string;

/** Somebody made `now` of the file, which was `old`. */
export function editFile(
  change: FileChange | undefined,
  old: FileVersion | undefined,
  now: FileVersion | undefined,
  author: Editor,
  newId: NewId,
): FileChange | undefined {
  if (change === undefined) {
    return author.kind === 'agent' ? startChange(old, now, author, newId) : undefined;
  }
  if (isSame(versionBefore(change), now)) {
    return undefined;
  }
  if (author.kind !== 'agent' && now === undefined) {
    // With the file, whatever the agents did to it is gone, and that was the user's own wish.
    return undefined;
  }
  return change.kind === 'text'
    ? editTextFile(change, now, author, newId)
    : editWhole(change, now, author, newId);
}

export function versionNow(change: FileChange): FileVersion | undefined {
  return change.kind === 'whole' ? change.now : { content: contentOf(change.text.lines), mode: change.mode };
}

/** The file without the agents' changes. */
export function versionBefore(change: FileChange): FileVersion | undefined {
  if (change.kind === 'whole') {
    return change.before;
  }
  return { content: contentOf(linesBefore(change.text)), mode: change.modeBefore?.mode ?? change.mode };
}

export function ownersOf(change: FileChange): readonly Owner[] {
  if (change.kind === 'whole') {
    return [change.owner];
  }
  return change.modeBefore === undefined ? change.text.hunks : [...change.text.hunks, change.modeBefore];
}

export function hunkIds(change: FileChange): readonly string[] {
  return change.kind === 'whole' ? [] : change.text.hunks.map(({ id }) => id);
}

/** Without the hunks that are not among these, as if they had been kept. Undefined when nothing is left. */
export function onlyHunks(change: FileChange, ids: readonly string[]): FileChange | undefined {
  return change.kind === 'whole'
    ? change
    : unlessDone({ ...change, text: keepHunks(change.text, ({ id }) => !ids.includes(id)) });
}

export function isMixed(change: FileChange): boolean {
  return change.kind === 'whole' ? change.isMixed : change.text.hunks.some((hunk) => hunk.isMixed);
}

export function keepParts(change: FileChange, selection: PartSelection): Reviewed {
  const version = versionNow(change);
  if (change.kind === 'whole') {
    const isTouched = isSelected(selection, change.id, change.owner);
    return { change: isTouched ? undefined : change, version, isTouched, hasConflict: false };
  }
  const text = keepHunks(change.text, (hunk) => isSelected(selection, hunk.id, hunk));
  const isModeKept = isModeSelected(change, selection);
  return {
    change: unlessDone({ ...change, text, modeBefore: isModeKept ? undefined : change.modeBefore }),
    version,
    isTouched: isModeKept || text.hunks.length < change.text.hunks.length,
    hasConflict: false,
  };
}

/** Hunks with the user's own text in them stay, unless forced. */
export function undoParts(change: FileChange, selection: PartSelection, isForced: boolean): Reviewed {
  if (change.kind === 'whole') {
    const isWanted = isSelected(selection, change.id, change.owner);
    const isTouched = isWanted && (isForced || !change.isMixed);
    return {
      change: isTouched ? undefined : change,
      version: isTouched ? change.before : change.now,
      isTouched,
      hasConflict: isWanted && !isTouched,
    };
  }
  const isWanted = (hunk: TextHunk): boolean => isSelected(selection, hunk.id, hunk);
  const text = undoHunks(change.text, (hunk) => isWanted(hunk) && (isForced || !hunk.isMixed));
  const isModeUndone = isModeSelected(change, selection);
  const undone: TextFileChange = {
    kind: 'text',
    text,
    mode: isModeUndone ? (change.modeBefore?.mode ?? change.mode) : change.mode,
    modeBefore: isModeUndone ? undefined : change.modeBefore,
  };
  return {
    change: unlessDone(undone),
    version: versionNow(undone),
    isTouched: isModeUndone || text.hunks.length < change.text.hunks.length,
    hasConflict: text.hunks.some(isWanted),
  };
}

function isSelected({ sessionId, hunkId }: PartSelection, id: string, owner: Owner): boolean {
  return (
    (sessionId === undefined || sessionId === owner.sessionId) && (hunkId === undefined || hunkId === id)
  );
}

function isModeSelected(change: TextFileChange, selection: PartSelection): boolean {
  return (
    change.modeBefore !== undefined &&
    selection.hunkId === undefined &&
    isSelected(selection, '', change.modeBefore)
  );
}

function startChange(
  old: FileVersion | undefined,
  now: FileVersion | undefined,
  owner: Owner,
  newId: NewId,
): FileChange | undefined {
  if (isSame(old, now)) {
    return undefined;
  }
  const { sessionId, turnId } = owner;
  if (old === undefined || now === undefined || !isText(old) || !isText(now)) {
    return {
      kind: 'whole',
      id: newId(),
      before: old,
      now,
      owner: { sessionId, turnId },
      isMixed: false,
    };
  }
  const unchanged: TextFileChange = {
    kind: 'text',
    text: { lines: linesOf(old), hunks: [] },
    mode: old.mode,
    modeBefore: undefined,
  };
  return editTextFile(unchanged, now, { kind: 'agent', sessionId, turnId }, newId);
}

function editTextFile(
  change: TextFileChange,
  now: FileVersion | undefined,
  author: Editor,
  newId: NewId,
): FileChange | undefined {
  if (now === undefined || !isText(now)) {
    const owner = author.kind === 'agent' ? author : ownersOf(change).at(-1);
    return owner === undefined
      ? undefined
      : {
          kind: 'whole',
          id: newId(),
          before: versionBefore(change),
          now,
          owner: { sessionId: owner.sessionId, turnId: owner.turnId },
          isMixed: author.kind === 'user' || isMixed(change),
        };
  }
  return unlessDone({
    kind: 'text',
    text: editText(change.text, linesOf(now), author, newId),
    mode: now.mode,
    modeBefore: modeBeforeAfter(change, now.mode, author),
  });
}

function modeBeforeAfter(change: TextFileChange, mode: FileMode, author: Editor): ModeBefore | undefined {
  if (mode === change.mode) {
    return change.modeBefore;
  }
  const before = change.modeBefore?.mode ?? change.mode;
  if (author.kind !== 'agent' || before === mode) {
    return undefined;
  }
  return { mode: before, sessionId: author.sessionId, turnId: author.turnId };
}

function editWhole(
  change: WholeChange,
  now: FileVersion | undefined,
  author: Editor,
  newId: NewId,
): FileChange | undefined {
  if (author.kind !== 'agent') {
    const isOwnWork = author.kind === 'user' && !isOnlyMode(change.now, now);
    return { ...change, now, isMixed: change.isMixed || isOwnWork };
  }
  const { sessionId, turnId } = author;
  if (!change.isMixed && change.before !== undefined && now !== undefined) {
    return startChange(change.before, now, author, newId);
  }
  return { ...change, now, owner: { sessionId, turnId } };
}

/** Making a file executable is no work that could be lost. */
function isOnlyMode(old: FileVersion | undefined, now: FileVersion | undefined): boolean {
  return (
    old !== undefined &&
    now !== undefined &&
    old.mode !== 'link' &&
    now.mode !== 'link' &&
    hasSameContent(old, now)
  );
}

function unlessDone(change: TextFileChange): FileChange | undefined {
  return change.text.hunks.length === 0 && change.modeBefore === undefined ? undefined : change;
}

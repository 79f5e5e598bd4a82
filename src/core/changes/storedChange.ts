import { asBoolean, asNumber, asObjects, asString, isObject, type JsonObject } from '../../shared/json';
import { versionBefore, versionNow, type FileChange, type Owner } from './fileChange';
import { linesOf } from './fileVersion';
import type { TextHunk } from './textChange';
import {
  readFileMode,
  readOptionalVersion,
  readStoredVersion,
  type StoredVersion,
  type VersionStore,
} from './versionStore';

/** Encoding splits and hashes whole files; the same object is always the same change. */
const encoded = new WeakMap<FileChange, WeakMap<VersionStore, JsonObject>>();

/** Texts as hashes of their two sides, and hunks as places in them. */
export async function encodeChange(change: FileChange, versions: VersionStore): Promise<JsonObject> {
  const known = encoded.get(change)?.get(versions);
  if (known !== undefined) {
    return known;
  }
  const before = await versions.putOptional(versionBefore(change));
  const now = await versions.putOptional(versionNow(change));
  const stored: JsonObject =
    change.kind === 'whole'
      ? { kind: 'whole', id: change.id, before, now, ...change.owner, isMixed: change.isMixed }
      : { kind: 'text', before, now, modeBefore: change.modeBefore, hunks: encodeHunks(change.text.hunks) };
  encoded.set(change, new WeakMap([[versions, stored]]));
  return stored;
}

/** Throws when something is missing. */
export async function decodeChange(stored: JsonObject, versions: VersionStore): Promise<FileChange> {
  const before = readOptionalVersion(stored.before);
  const now = readOptionalVersion(stored.now);
  if (stored.kind === 'whole') {
    return {
      kind: 'whole',
      id: required(asString(stored.id)),
      before: await versions.getOptional(before),
      now: await versions.getOptional(now),
      owner: decodeOwner(stored),
      isMixed: required(asBoolean(stored.isMixed)),
    };
  }
  const lines = linesOf(await versions.get(required(now)));
  const linesBefore = linesOf(await versions.get(required(before)));
  return {
    kind: 'text',
    text: { lines, hunks: decodeHunks(stored, lines.length, linesBefore) },
    mode: required(now).mode,
    modeBefore: isObject(stored.modeBefore)
      ? { mode: required(readFileMode(stored.modeBefore.mode)), ...decodeOwner(stored.modeBefore) }
      : undefined,
  };
}

/** The contents that a stored change needs. */
export function versionsIn(stored: JsonObject): readonly StoredVersion[] {
  return [readStoredVersion(stored.before), readStoredVersion(stored.now)].filter(
    (version) => version !== undefined,
  );
}

export function required<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('something is missing in it');
  }
  return value;
}

export function decodeOwner(stored: JsonObject): Owner {
  return { sessionId: required(asString(stored.sessionId)), turnId: required(asNumber(stored.turnId)) };
}

function encodeHunks(hunks: readonly TextHunk[]): readonly JsonObject[] {
  let shift = 0;
  return hunks.map(({ before, ...hunk }) => {
    const beforeStart = hunk.start + shift;
    shift += before.length - hunk.count;
    return { ...hunk, beforeStart, beforeCount: before.length };
  });
}

function decodeHunks(
  stored: JsonObject,
  lineCount: number,
  linesBefore: readonly string[],
): readonly TextHunk[] {
  let [end, endBefore] = [0, 0];
  const hunks = asObjects(stored.hunks).map((hunk): TextHunk => {
    const start = required(asNumber(hunk.start));
    const count = required(asNumber(hunk.count));
    const beforeStart = required(asNumber(hunk.beforeStart));
    const beforeCount = required(asNumber(hunk.beforeCount));
    if (start < end || start - end !== beforeStart - endBefore || count < 0 || beforeCount < 0) {
      throw new Error('its hunks do not fit');
    }
    end = start + count;
    endBefore = beforeStart + beforeCount;
    return {
      id: required(asString(hunk.id)),
      ...decodeOwner(hunk),
      start,
      count,
      before: linesBefore.slice(beforeStart, endBefore),
      isMixed: required(asBoolean(hunk.isMixed)),
      overwritten: Array.isArray(hunk.overwritten)
        ? hunk.overwritten.map((line) => required(asString(line)))
        : undefined,
    };
  });
  if (lineCount - end !== linesBefore.length - endBefore) {
    throw new Error('its hunks do not fit');
  }
  return hunks;
}

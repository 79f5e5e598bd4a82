import {
  asArray,
  asBoolean,
  asNumber,
  asObject,
  asObjects,
  asString,
  isObject,
  type JsonObject,
} from '../../shared/json';
import { asError } from '../base/errors';
import type { Logger } from '../base/log';
import type { ChangeStorage } from './changeStorage';
import {
  emptyState,
  type Checkpoint,
  type FolderState,
  type JournalEntry,
  type Review,
  type ReviewedFile,
} from './folderState';
import type { FileVersion } from './model';
import type { Editor } from './textChange';
import { decodeChange, decodeOwner, encodeChange, required, versionsIn } from './storedChange';
import {
  readOptionalVersion,
  readStoredVersion,
  type StoredVersion,
  type VersionStore,
} from './versionStore';

const VERSION = 1;
const HOUR_MS = 60 * 60 * 1000;

/** Writes and reads the state of one folder. An entry that cannot be read is dropped, the others stay. */
export class StateStore {
  constructor(
    private readonly folder: string,
    private readonly storage: ChangeStorage,
    private readonly versions: VersionStore,
    private readonly log: Logger,
  ) {}

  async save(state: FolderState): Promise<void> {
    await this.storage.writeState(JSON.stringify(await this.encode(state)));
  }

  async load(): Promise<FolderState> {
    const state = emptyState();
    const stored = await this.read();
    if (stored === undefined) {
      return state;
    }
    for (const item of asObjects(stored.changes)) {
      await this.unlessBroken(async () => {
        const path = required(asString(item.path));
        state.changes.set(path, await decodeChange(asObject(item.change), this.versions));
      });
    }
    for (const item of asObjects(stored.known)) {
      await this.unlessBroken(async () => {
        const version = await this.decodeVersion(item.version);
        state.known.set(required(asString(item.path)), version);
      });
    }
    for (const item of asObjects(stored.reviews)) {
      await this.unlessBroken(async () => {
        state.reviews.push(await this.decodeReview(item));
      });
    }
    for (const item of asObjects(stored.journal)) {
      await this.unlessBroken(() => state.journal.push(decodeEntry(item)));
    }
    for (const item of asObjects(stored.checkpoints)) {
      await this.unlessBroken(() => state.checkpoints.push(decodeCheckpoint(item)));
    }
    for (const item of asObjects(stored.running)) {
      await this.unlessBroken(() => {
        const { sessionId, turnId } = decodeOwner(item);
        const isWaiting = asBoolean(item.isWaiting) ?? false;
        // Nobody knows any more of what it told.
        state.running.set(sessionId, { turnId, isWaiting, heard: 0, tells: false });
      });
    }
    addStrings(stored.unseen, state.unseen);
    addStrings(stored.atHead, state.atHead);
    state.snapshot = decodeSnapshot(stored.snapshot);
    const last = state.journal.at(-1)?.sequence ?? 0;
    state.nextSequence = Math.max(asNumber(stored.nextSequence) ?? 1, last + 1);
    return state;
  }

  /** Removes contents that nothing needs any more. */
  async collect(state: FolderState): Promise<void> {
    await this.versions.collect(usedHashes(await this.encode(state)), Date.now() - HOUR_MS);
  }

  private async encode(state: FolderState): Promise<JsonObject> {
    const changes = [];
    for (const [path, change] of state.changes) {
      changes.push({ path, change: await encodeChange(change, this.versions) });
    }
    const known = [];
    for (const [path, version] of state.known) {
      known.push({ path, version: await this.versions.putOptional(version) });
    }
    const reviews = [];
    for (const { id, at, files } of state.reviews) {
      reviews.push({ id, at, files: await Promise.all(files.map((file) => this.encodeReviewed(file))) });
    }
    return {
      version: VERSION,
      folder: this.folder,
      changes,
      known,
      reviews,
      journal: state.journal,
      checkpoints: state.checkpoints,
      running: [...state.running].map(([sessionId, { turnId, isWaiting }]) => ({
        sessionId,
        turnId,
        isWaiting,
      })),
      unseen: [...state.unseen],
      atHead: [...state.atHead],
      snapshot: state.snapshot,
      nextSequence: state.nextSequence,
    };
  }

  private async encodeReviewed({ path, change, before, after }: ReviewedFile): Promise<JsonObject> {
    return {
      path,
      change: change === undefined ? undefined : await encodeChange(change, this.versions),
      before: await this.versions.putOptional(before),
      after: await this.versions.putOptional(after),
    };
  }

  private async decodeReview(stored: JsonObject): Promise<Review> {
    const files: ReviewedFile[] = [];
    for (const item of asObjects(stored.files)) {
      files.push({
        path: required(asString(item.path)),
        change: isObject(item.change) ? await decodeChange(item.change, this.versions) : undefined,
        before: await this.decodeVersion(item.before),
        after: await this.decodeVersion(item.after),
      });
    }
    return { id: required(asString(stored.id)), at: required(asNumber(stored.at)), files };
  }

  private async decodeVersion(value: unknown): Promise<FileVersion | undefined> {
    return this.versions.getOptional(readOptionalVersion(value));
  }

  private async read(): Promise<JsonObject | undefined> {
    try {
      const text = await this.storage.readState();
      const stored: unknown = text === undefined ? undefined : JSON.parse(text);
      return isObject(stored) && stored.version === VERSION ? stored : undefined;
    } catch (error) {
      this.log.warn(
        `The stored changes of ${this.folder} could not be read, and are forgotten: ${asError(error).message}`,
      );
      return undefined;
    }
  }

  private async unlessBroken(decode: () => unknown): Promise<void> {
    try {
      await decode();
    } catch (error) {
      this.log.warn(`A stored change in ${this.folder} was dropped: ${asError(error).message}`);
    }
  }
}

function usedHashes(stored: JsonObject): ReadonlySet<string> {
  const used: (StoredVersion | undefined)[] = [];
  for (const { change } of asObjects(stored.changes)) {
    used.push(...versionsIn(asObject(change)));
  }
  for (const { version } of asObjects(stored.known)) {
    used.push(readStoredVersion(version));
  }
  for (const item of [...asObjects(stored.journal), ...asObjects(stored.reviews).flatMap(filesOf)]) {
    used.push(readStoredVersion(item.before), readStoredVersion(item.after));
    used.push(...versionsIn(asObject(item.change)));
  }
  return new Set(used.flatMap((version) => version?.hash ?? []));
}

function filesOf({ files }: JsonObject): readonly JsonObject[] {
  return asObjects(files);
}

function decodeEntry(stored: JsonObject): JournalEntry {
  return {
    sequence: required(asNumber(stored.sequence)),
    path: required(asString(stored.path)),
    author: decodeAuthor(asObject(stored.author)),
    before: readOptionalVersion(stored.before),
    after: readOptionalVersion(stored.after),
    at: required(asNumber(stored.at)),
  };
}

function decodeAuthor(stored: JsonObject): Editor {
  return stored.kind === 'user' || stored.kind === 'review'
    ? { kind: stored.kind }
    : { kind: 'agent', ...decodeOwner(stored) };
}

function decodeCheckpoint(stored: JsonObject): Checkpoint {
  return {
    ...decodeOwner(stored),
    snapshot: asString(stored.snapshot),
    sequence: required(asNumber(stored.sequence)),
    at: required(asNumber(stored.at)),
    pending: isObject(stored.pending) ? decodePending(stored.pending) : undefined,
  };
}

function decodePending(stored: JsonObject): Checkpoint['pending'] {
  return Object.fromEntries(Object.entries(stored).map(([path, ids]) => [path, strings(ids)]));
}

function decodeSnapshot(stored: unknown): FolderState['snapshot'] {
  const { id, at, skipped } = asObject(stored);
  const [knownId, knownAt] = [asString(id), asNumber(at)];
  if (knownId === undefined || knownAt === undefined) {
    return undefined;
  }
  return {
    id: knownId,
    at: knownAt,
    skipped: strings(skipped),
  };
}

function addStrings(stored: unknown, to: Set<string>): void {
  strings(stored).forEach((text) => to.add(text));
}

function strings(stored: unknown): readonly string[] {
  return asArray(stored).filter((text) => typeof text === 'string');
}

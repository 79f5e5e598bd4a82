import { createHash } from 'node:crypto';
import { asObject, asOneOf, asString } from '../../shared/json';
import type { ChangeStorage } from './changeStorage';
import type { FileMode, FileVersion } from './model';

/** A version of a file by the hash of its content. */
export interface StoredVersion {
  readonly hash: string;
  readonly mode: FileMode;
}

const modes = ['file', 'executable', 'link'] as const;

/** Contents by their hash, so that the same content is stored once however often it is named. */
export class VersionStore {
  private readonly written = new Set<string>();
  private readonly known = new WeakMap<FileVersion, StoredVersion>();

  constructor(private readonly storage: ChangeStorage) {}

  async put(version: FileVersion): Promise<StoredVersion> {
    const known = this.known.get(version);
    if (known !== undefined && this.written.has(known.hash)) {
      return known;
    }
    const hash = createHash('sha256').update(version.content).digest('hex');
    if (!this.written.has(hash)) {
      await this.storage.writeBlob(hash, version.content);
      this.written.add(hash);
    }
    const stored = { hash, mode: version.mode };
    this.known.set(version, stored);
    return stored;
  }

  async putOptional(version: FileVersion | undefined): Promise<StoredVersion | undefined> {
    return version === undefined ? undefined : this.put(version);
  }

  /** Throws when the content is gone or damaged. */
  async get({ hash, mode }: StoredVersion): Promise<FileVersion> {
    const content = await this.storage.readBlob(hash);
    if (content === undefined || createHash('sha256').update(content).digest('hex') !== hash) {
      throw new Error(`the stored content ${hash.slice(0, 8)} is missing or damaged`);
    }
    const version = { content, mode };
    this.written.add(hash);
    this.known.set(version, { hash, mode });
    return version;
  }

  async getOptional(stored: StoredVersion | undefined): Promise<FileVersion | undefined> {
    return stored === undefined ? undefined : this.get(stored);
  }

  async collect(used: ReadonlySet<string>, olderThan: number): Promise<void> {
    for (const { hash, modifiedAt } of await this.storage.blobs()) {
      if (!used.has(hash) && modifiedAt < olderThan) {
        this.written.delete(hash);
        await this.storage.removeBlob(hash);
      }
    }
  }
}

export function readStoredVersion(value: unknown): StoredVersion | undefined {
  const { hash, mode } = asObject(value);
  const [text, known] = [asString(hash), asOneOf(mode, modes)];
  return text === undefined || known === undefined || !/^[0-9a-f]{64}$/.test(text)
    ? undefined
    : { hash: text, mode: known };
}

/** Absence is a version too: one that cannot be read must not be taken for it. Throws instead. */
export function readOptionalVersion(value: unknown): StoredVersion | undefined {
  if (value === undefined) {
    return undefined;
  }
  const version = readStoredVersion(value);
  if (version === undefined) {
    throw new Error('a version in it cannot be read');
  }
  return version;
}

export function readFileMode(value: unknown): FileMode | undefined {
  return asOneOf(value, modes);
}

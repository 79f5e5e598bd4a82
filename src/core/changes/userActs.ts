import { isInside } from '../files/pathRules';
import type { FileOperation } from './folderParts';
import { isSame } from './fileVersion';
import type { Author, FileVersion } from './model';

/** A save that has not come about by then has failed. */
const LONGEST_MS = 10_000;

const user: Author = { kind: 'user' };

interface Act {
  /** Of the last that was begun. */
  readonly number: number;
  readonly since: number;
  readonly before: Promise<FileVersion | undefined>;
}

/**
 * What the user is doing to files at this moment, and how those were before. The editor tells before and after, and
 * whoever looks in between must not take it for an agent's.
 */
export class UserActs {
  private readonly acts = new Map<string, Act>();
  private begun = 0;

  constructor(private readonly now: () => number) {}

  /** Of two that follow each other, before anybody has looked, only the first knows how it was. */
  begin(path: string, before: Promise<FileVersion | undefined>): void {
    this.forgetFailed();
    // One that cannot be read is split nowhere: then all of it is the user's.
    before.catch(() => undefined);
    const number = ++this.begun;
    this.acts.set(path, { number, since: this.now(), before: this.acts.get(path)?.before ?? before });
  }

  /** The number of the last that was begun. */
  current(path: string): number | undefined {
    return this.acts.get(path)?.number;
  }

  /** How it was before; undefined without it, and when it was a folder. */
  async before(path: string): Promise<FileVersion | undefined> {
    return this.acts.get(path)?.before.catch(() => undefined);
  }

  /** What the user has begun in the meantime goes on from what was seen. */
  end(path: string, number: number | undefined, seen: FileVersion | undefined): void {
    const current = this.acts.get(path);
    if (current?.number === number) {
      this.acts.delete(path);
    } else {
      this.see(path, seen);
    }
  }

  /**
   * What was done before the acts, and then the acts: from how a file was before on it is the user's, and of a folder
   * all that is in it.
   */
  async split(operations: readonly FileOperation[]): Promise<readonly (readonly FileOperation[])[]> {
    this.forgetFailed();
    if (this.acts.size === 0) {
      return [operations];
    }
    const split = await Promise.all(operations.map((operation) => this.splitOne(operation)));
    const isReal = ({ old, now }: FileOperation): boolean => !isSame(old, now);
    return [split.map(([first]) => first).filter(isReal), split.map(([, then]) => then).filter(isReal)];
  }

  private async splitOne(operation: FileOperation): Promise<readonly [FileOperation, FileOperation]> {
    const { path, now } = operation;
    const between = await this.between(operation);
    this.see(path, now);
    return [
      { ...operation, now: between },
      { path, old: between, now, author: user },
    ];
  }

  /** How the file was when the user began; now, if they do nothing to it. */
  private async between({ path, old, now }: FileOperation): Promise<FileVersion | undefined> {
    const act = this.acts.get(path);
    if (act !== undefined) {
      return act.before.catch(() => old);
    }
    return [...this.acts.keys()].some((folder) => isInside(folder, path)) ? old : now;
  }

  /** What comes after it begins there. */
  private see(path: string, seen: FileVersion | undefined): void {
    const act = this.acts.get(path);
    if (act !== undefined) {
      this.acts.set(path, { ...act, before: Promise.resolve(seen) });
    }
  }

  private forgetFailed(): void {
    for (const [path, { since }] of this.acts) {
      if (this.now() - since > LONGEST_MS) {
        this.acts.delete(path);
      }
    }
  }
}

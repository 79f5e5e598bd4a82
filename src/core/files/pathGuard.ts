import { access } from 'node:fs/promises';
import * as path from 'node:path';
import { excludedBy } from './globs';
import { FileProblem } from '../ports';
import { isInside, isRemote, normalPath } from './pathRules';
import { realPath } from './realPath';

export type Access = 'read' | 'write' | 'run';
export type OutsidePolicy = 'ask' | 'deny' | 'allow';
export type AccessAnswer = 'once' | 'session' | 'deny';

/** Put to the user when no rule decides. */
export interface AccessQuestion {
  readonly sessionId: string;
  readonly reason: 'outside' | 'protected';
  readonly access: Access;
  /** Where it really leads. */
  readonly path: string;
}

export interface PathGuardOptions {
  readonly ask: (question: AccessQuestion) => Promise<AccessAnswer>;
  readonly outside: () => OutsidePolicy;
  /** Globs of what is not written without asking, besides `.git` and `ownFolders`. */
  readonly protectedGlobs: () => readonly string[];
  /** The extension's own storage. */
  readonly ownFolders: readonly string[];
}

export interface AccessRequest {
  readonly sessionId: string;
  readonly roots: readonly string[];
  readonly path: string;
  readonly access: Access;
}

/** A path that may be used. */
export interface AllowedPath {
  /** Without links, as the session's folder is spelled: what the editor knows the file by. */
  readonly path: string;
  /** As the file system spells it. */
  readonly real: string;
}

/** Decides which paths agents may use. Links are followed first: one inside a folder may lead out of it. */
export class PathGuard {
  /** Answers that hold for a session. */
  private readonly granted = new Set<string>();
  /** Equal questions at the same time are one question. */
  private readonly asking = new Map<string, Promise<AccessAnswer>>();

  constructor(private readonly options: PathGuardOptions) {}

  async allow(request: AccessRequest): Promise<AllowedPath> {
    const file = normalPath(request.path);
    const isElsewhere = isRemote(file) && !request.roots.some((root) => isInside(root, file));
    if (isElsewhere) {
      // Not asked about: a look at it would already tell the other machine who the user is.
      throw new FileProblem('refused', `${file} is on another machine, outside of the session's folders.`);
    }
    const found = await locate(file, request.roots);
    const isAsked = found.root === undefined && (await this.allowOutside(request, found.real));
    if (!isAsked && request.access === 'write' && (await this.isProtected(found.real, found.root))) {
      await this.settle({ ...request, path: found.real }, 'protected');
    }
    return { path: found.path, real: found.real };
  }

  /** Again, right before or after use: between a check and a use a link may have been put in the way. */
  async recheck(request: AccessRequest, allowed: AllowedPath): Promise<void> {
    if ((await realPath(normalPath(request.path))) !== allowed.real) {
      throw new FileProblem('refused', `${request.path} leads elsewhere than a moment ago.`);
    }
  }

  /** Whether the user was asked about it, who then saw the path. */
  private async allowOutside(request: AccessRequest, real: string): Promise<boolean> {
    const policy = this.options.outside();
    if (policy === 'allow') {
      return false;
    }
    // Agents probe for files in folders above; the user need not be asked about what is not there.
    if (policy === 'ask' && request.access === 'read' && !(await exists(real))) {
      throw new FileProblem('notFound', `There is no file ${real}.`);
    }
    if (policy === 'deny') {
      throw outside(real, request.roots);
    }
    await this.settle({ ...request, path: real }, 'outside');
    return true;
  }

  private async settle(request: AccessRequest, reason: AccessQuestion['reason']): Promise<void> {
    const { sessionId, path: real } = request;
    const key = [sessionId, request.access, real].join('\0');
    if (this.granted.has(key)) {
      return;
    }
    const question: AccessQuestion = { sessionId, reason, access: request.access, path: real };
    const asked = this.asking.get(key) ?? this.options.ask(question);
    this.asking.set(key, asked);
    const answer = await asked.finally(() => this.asking.delete(key));
    if (answer === 'deny') {
      throw reason === 'outside'
        ? outside(real, request.roots)
        : new FileProblem('refused', `The user did not allow ${real} to be written: it is protected.`);
    }
    if (answer === 'session') {
      this.granted.add(key);
    }
  }

  /** Without regard to case: on many file systems `.GIT` is `.git`. */
  private async isProtected(real: string, root = path.parse(real).root): Promise<boolean> {
    const own = await Promise.all(this.options.ownFolders.map((folder) => realPath(folder)));
    if (own.some((folder) => isInside(folder, real))) {
      return true;
    }
    const relative = path.relative(root, real).split(path.sep).join('/').toLowerCase();
    const globs = this.options.protectedGlobs().map((glob) => glob.toLowerCase());
    return excludedBy(['**/.git', ...globs])(relative);
  }
}

interface Location {
  readonly path: string;
  readonly real: string;
  /** The real path of the root that it is in. */
  readonly root: string | undefined;
}

/** Where a path leads, and in which of the folders. */
export async function locate(file: string, roots: readonly string[]): Promise<Location> {
  const real = await realPath(file);
  for (const root of roots) {
    const realRoot = await realPath(path.resolve(root));
    if (isInside(realRoot, real)) {
      return { path: path.join(root, path.relative(realRoot, real)), real, root: realRoot };
    }
  }
  return { path: real, real, root: undefined };
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}

function outside(file: string, roots: readonly string[]): FileProblem {
  return new FileProblem('refused', `${file} is outside of the session's folders: ${roots.join(', ')}.`);
}

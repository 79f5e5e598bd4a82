import { createHash } from 'node:crypto';

/** Git's list of what it tracks, as in its index file: gitformat-index(5). */
export interface GitIndex {
  readonly hash: HashName;
  readonly file: Buffer;
  readonly entries: readonly IndexEntry[];
  readonly cacheTree: CacheTree | undefined;
}

export type HashName = 'sha1' | 'sha256';

export interface IndexEntry {
  /** With slashes, from the top of the work tree. */
  readonly path: string;
  /** Where in the file it is: times, device, inode, mode, owner and size, then the id of the object. */
  readonly at: number;
  /** Where the next one is. */
  readonly end: number;
  /** For those that are to be written in another form than they have in the file. */
  readonly name: Buffer | undefined;
  readonly mode: number;
  readonly size: number;
  readonly stage: number;
  readonly isSkipped: boolean;
  readonly isIntent: boolean;
}

/** Ids of the trees that the index is known to be. A negative count: not known. */
export interface CacheTree {
  readonly name: string;
  readonly count: number;
  readonly id: Buffer | undefined;
  readonly children: readonly CacheTree[];
}

export const modes = { tree: 0o040000, link: 0o120000, repository: 0o160000 } as const;

const STAT_BYTES = 40;
const LINE_BREAK = 0x0a;
const HEX_DIGITS = '0123456789abcdef';
const EXTENDED = 0x4000;
/** All flags but the length of the name: assumed to be valid, extended, and the stage. */
const MARKS = 0xf000;

/** The hash that a split index names as its base, or undefined when it is whole. */
export function sharedIndexOf(file: Buffer, hash: HashName): string | undefined {
  const found = readParts(file, hash).extensions.get('link');
  return found?.subarray(0, idBytes(hash)).toString('hex');
}

/** Throws on what it does not know; then the index cannot be used. */
export function readIndex(file: Buffer, hash: HashName): GitIndex {
  const { entries, extensions } = readParts(file, hash);
  const tree = extensions.get('TREE');
  return { hash, file, entries, cacheTree: tree && readCacheTree(tree, idBytes(hash)) };
}

/** The ids of the entries' objects, one a line. Byte by byte, because there may be very many. */
export function objectIds({ hash, file, entries }: GitIndex): Buffer {
  const length = idBytes(hash);
  const lines = Buffer.alloc(entries.length * (2 * length + 1));
  let to = 0;
  for (const { at } of entries) {
    for (let from = at + STAT_BYTES; from < at + STAT_BYTES + length; from += 1) {
      const byte = file[from] ?? 0;
      lines[to] = HEX_DIGITS.charCodeAt(byte >> 4);
      lines[to + 1] = HEX_DIGITS.charCodeAt(byte & 0xf);
      to += 2;
    }
    lines[to] = LINE_BREAK;
    to += 1;
  }
  return lines;
}

/** In version 2, without the marks that entries may have. */
export function writeIndex({ hash, file, entries, cacheTree }: GitIndex): Buffer {
  const header = Buffer.alloc(12);
  header.write('DIRC', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(entries.length, 8);
  const parts: Buffer[] = [header];
  // Nearly all stand in the file as they are to be written, one behind the other.
  let run = { from: 0, to: 0 };
  for (const { at, end, name } of entries) {
    if (name === undefined && at === run.to) {
      run.to = end;
      continue;
    }
    parts.push(file.subarray(run.from, run.to));
    run = { from: at, to: end };
    if (name !== undefined) {
      const stat = file.subarray(at, at + STAT_BYTES + idBytes(hash));
      const tail = Buffer.alloc(2 + paddedLength(stat.length + 2, name.length));
      tail.writeUInt16BE(Math.min(name.length, 0xfff));
      name.copy(tail, 2);
      parts.push(stat, tail);
      run = { from: end, to: end };
    }
  }
  parts.push(file.subarray(run.from, run.to));
  if (cacheTree !== undefined) {
    const content = Buffer.concat(writeCacheTree(cacheTree));
    const start = Buffer.alloc(8);
    start.write('TREE', 'latin1');
    start.writeUInt32BE(content.length, 4);
    parts.push(start, content);
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash(hash).update(body).digest()]);
}

/** What stays true of the cache tree when these paths are taken out, and everything that is not below `prefix`. */
export function withoutPaths(
  tree: CacheTree,
  dropped: readonly string[],
  prefix: string,
): CacheTree | undefined {
  const changed = new Set<string>();
  for (const path of dropped) {
    for (let end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
      changed.add(path.slice(0, end + 1));
      if (end === 0) {
        break;
      }
    }
    changed.add('');
  }
  const keep = (node: CacheTree, path: string): CacheTree | undefined => {
    const isInside = path.startsWith(prefix);
    if (!isInside && !prefix.startsWith(path)) {
      return undefined;
    }
    const children = node.children.flatMap((child) => keep(child, `${path}${child.name}/`) ?? []);
    return isInside && !changed.has(path)
      ? { ...node, children }
      : { name: node.name, count: -1, id: undefined, children };
  };
  return keep(tree, '');
}

function readParts(
  file: Buffer,
  hash: HashName,
): { readonly entries: IndexEntry[]; readonly extensions: ReadonlyMap<string, Buffer> } {
  const version = file.length < 12 ? 0 : file.readUInt32BE(4);
  if (file.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) {
    throw new Error('Not an index of a known version.');
  }
  const entries: IndexEntry[] = [];
  let at = 12;
  let previous: Buffer = Buffer.alloc(0);
  const rawBytes = STAT_BYTES + idBytes(hash);
  for (let left = file.readUInt32BE(8); left > 0; left -= 1) {
    const start = at;
    at += rawBytes;
    const flags = file.readUInt16BE(at);
    at += 2;
    let extended = 0;
    if ((flags & EXTENDED) !== 0) {
      extended = file.readUInt16BE(at);
      at += 2;
    }
    let kept = 0;
    if (version === 4) {
      const strip = readVarint(file, at);
      at = strip.end;
      kept = previous.length - strip.value;
    }
    const nameEnd = file.indexOf(0, at);
    if (nameEnd < 0) {
      throw new Error('The index ends within a name.');
    }
    let name: Buffer | undefined;
    if (version === 4 || (flags & MARKS) !== 0) {
      name = Buffer.concat([previous.subarray(0, kept), file.subarray(at, nameEnd)]);
      previous = name;
    }
    const path = name?.toString() ?? file.toString('utf8', at, nameEnd);
    at = version === 4 ? nameEnd + 1 : nameEnd + paddedLength(nameEnd - start, 0);
    entries.push({
      path,
      at: start,
      end: at,
      name,
      mode: file.readUInt32BE(start + 24),
      size: file.readUInt32BE(start + 36),
      stage: (flags >> 12) & 3,
      isSkipped: (extended & 0x4000) !== 0,
      isIntent: (extended & 0x2000) !== 0,
    });
  }
  const extensions = new Map<string, Buffer>();
  while (at + 8 <= file.length - idBytes(hash)) {
    const length = file.readUInt32BE(at + 4);
    extensions.set(file.toString('latin1', at, at + 4), file.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return { entries, extensions };
}

/** The name and 1 to 8 NULs, so that the entry is a multiple of 8 long. */
function paddedLength(before: number, name: number): number {
  return name + 8 - ((before + name) % 8);
}

/** The variable width of offsets in packs. */
function readVarint(file: Buffer, start: number): { readonly value: number; readonly end: number } {
  let at = start;
  let byte = file.readUInt8(at);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = file.readUInt8(at);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end: at + 1 };
}

function readCacheTree(content: Buffer, idLength: number): CacheTree {
  let at = 0;
  const next = (end: number): string => {
    const stop = content.indexOf(end, at);
    if (stop < 0) {
      throw new Error('The cache tree ends too early.');
    }
    const text = content.toString('utf8', at, stop);
    at = stop + 1;
    return text;
  };
  const read = (): CacheTree => {
    const name = next(0);
    const count = Number(next(0x20));
    const childCount = Number(next(0x0a));
    let id: Buffer | undefined;
    if (count >= 0) {
      id = content.subarray(at, at + idLength);
      at += idLength;
    }
    const children = Array.from({ length: childCount }, read);
    return { name, count, id, children };
  };
  return read();
}

function writeCacheTree({ name, count, id, children }: CacheTree): Buffer[] {
  const head = Buffer.from(`${name}\0${count} ${children.length}\n`);
  return [head, ...(id === undefined ? [] : [id]), ...children.flatMap(writeCacheTree)];
}

function idBytes(hash: HashName): number {
  return hash === 'sha1' ? 20 : 32;
}

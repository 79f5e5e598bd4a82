export type LinkTarget =
  | { readonly kind: 'url'; readonly href: string }
  | { readonly kind: 'location'; readonly path: string; readonly line: number | undefined };

/** Every repetition starts with what the one before cannot contain: an agent must not be able to make it slow. */
const LINE_SUFFIX = /^(.*?)(?::(\d+)(?:[:-]\d+)*|#L?(\d+)(?:[-C:,L]+\d+)*)?$/;
/** Longer than any path; searching for the line takes time by the square of the length. */
const MAX_PATH_CHARS = 4_096;
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
const DRIVE = /^[a-z]:[\\/]/i;
const FILE_NAME = /^[\w.@+\-[\]()$]*[\w\])$]\.[a-z]\w{0,9}$/i;
const FOLDERS = /^(?:[a-z]:)?(?:[\w.@+~\-[\]()$]*[\\/])+/i;
/** Names without a folder and a line are links only with these: `console.log` is no file. */
const KNOWN_FILES =
  /\.(?:[cm]?[jt]sx?|json[c5]?|md|py|rs|go|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|sh|ps1|ya?ml|toml|css|scss|less|html?|vue|svelte|sql|txt|lock|xml|ini|gradle)$/i;

/** What a link of an agent may lead to; undefined when it may not lead anywhere. */
export function linkTarget(href: string): LinkTarget | undefined {
  const trimmed = href.trim();
  if (/^(?:https?:\/\/|mailto:)/i.test(trimmed)) {
    return { kind: 'url', href: trimmed };
  }
  if (trimmed.length > MAX_PATH_CHARS) {
    return undefined;
  }
  if (/^file:\/\//i.test(trimmed)) {
    return location(decoded(trimmed.replace(/^file:\/\/(?:localhost)?/i, '').replace(/^\/(?=[a-z]:)/i, '')));
  }
  const hasScheme = SCHEME.test(trimmed) && !DRIVE.test(trimmed) && !/^[^:]+\.\w+:\d+/.test(trimmed);
  if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith('//') || hasScheme) {
    return undefined;
  }
  return location(decoded(trimmed));
}

/** Inline code such as `src/app.ts:12` that names a file. */
export function fileReference(text: string): LinkTarget | undefined {
  if (text.length > 300 || /\s/.test(text)) {
    return undefined;
  }
  const target = location(text);
  if (target.kind !== 'location') {
    return undefined;
  }
  const folders = FOLDERS.exec(target.path)?.[0] ?? '';
  const name = target.path.slice(folders.length);
  if (!FILE_NAME.test(name)) {
    return undefined;
  }
  const isSure = folders !== '' || target.line !== undefined || KNOWN_FILES.test(name);
  return isSure ? target : undefined;
}

/** A host's name in front of a path: an address without its scheme. */
const HOST = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}[\\/]/i;

/** A word of plain text that names a file. What is written as text must be surer than code. */
export function plainReference(word: string): LinkTarget | undefined {
  const target = fileReference(word);
  if (target?.kind !== 'location' || !KNOWN_FILES.test(target.path) || HOST.test(target.path)) {
    return undefined;
  }
  return target.line !== undefined || /[\\/]/.test(target.path) ? target : undefined;
}

function location(text: string): LinkTarget {
  const match = LINE_SUFFIX.exec(text);
  const line = match?.[2] ?? match?.[3];
  return { kind: 'location', path: match?.[1] ?? text, line: line === undefined ? undefined : Number(line) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import type { FileVersion } from './model';

/** An edit of a file as an agent reports it: of the whole file, or only of the place that it edited. */
export interface ReportedEdit {
  /** Undefined for a new file; many agents say that it was empty, and some say so of one that they wrote over. */
  readonly oldText: string | undefined;
  readonly newText: string;
}

/** When they do not fit what the file is now, or fit it in more than one way. */
export const unknown = Symbol('unknown');
type Text = string | undefined | typeof unknown;

const lossless = 'latin1';

/** What a file was before edits that have been made and reported, told from what it is now. */
export function versionBeforeEdits(
  { content, mode }: FileVersion,
  edits: readonly ReportedEdit[],
  isNew: boolean,
): FileVersion | undefined | typeof unknown {
  let text: Text = Buffer.from(content).toString(lossless);
  for (const edit of edits.toReversed()) {
    // Before it was made there was nothing to edit.
    text = typeof text === 'string' ? textBefore(text, edit, isNew) : unknown;
  }
  return typeof text === 'string' ? { content: Buffer.from(text, lossless), mode } : text;
}

function textBefore(now: string, { oldText, newText }: ReportedEdit, isNew: boolean): Text {
  const [old, made] = [bytesOf(oldText ?? ''), bytesOf(newText)];
  if (now === made && old === '' && isNew) {
    return undefined;
  }
  if (oldText === undefined || now === made) {
    return oldText === undefined ? unknown : old;
  }
  const at = made === '' ? -1 : now.indexOf(made);
  return at < 0 || now.includes(made, at + 1)
    ? unknown
    : now.slice(0, at) + old + now.slice(at + made.length);
}

/** One character for each byte, so that files in any encoding stay what they are around the edit. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString(lossless);
}

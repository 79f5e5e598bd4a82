/** A diff as an agent reports it: of the whole file, or only of the place that it edited. */
export interface ReportedDiff {
  /** Absolute. */
  readonly path: string;
  /** Undefined for a new file. */
  readonly oldText: string | undefined;
  readonly newText: string;
}

/** `unknown` when the diff does not fit what the file is now, or fits it in more than one way. */
export type TextBefore =
  { readonly kind: 'known'; readonly text: string | undefined } | { readonly kind: 'unknown' };

/** What a file was before an edit that has been made and reported, told from what it is now. */
export function textBefore(now: string, { oldText, newText }: Omit<ReportedDiff, 'path'>): TextBefore {
  if (now === newText) {
    return { kind: 'known', text: oldText };
  }
  const at = newText === '' ? -1 : now.indexOf(newText);
  if (oldText === undefined || at < 0 || now.includes(newText, at + 1)) {
    return { kind: 'unknown' };
  }
  return { kind: 'known', text: now.slice(0, at) + oldText + now.slice(at + newText.length) };
}

import type { Entry, Terminal, Transcript } from './model';

/** More than a screen holds. */
const END_ENTRIES = 60;
/** Shorter ones cross as fast as a whole. */
const LONG_ENTRIES = 200;

/** The end of a long transcript in which nothing goes on, to be shown while the rest is on its way. */
export function endOf(transcript: Transcript): Transcript | undefined {
  if (transcript.turn.state !== 'idle' || transcript.entries.length < LONG_ENTRIES) {
    return undefined;
  }
  const entries = transcript.entries.slice(-END_ENTRIES);
  return { ...transcript, entries, terminals: terminalsOf(entries, transcript.terminals) };
}

function terminalsOf(
  entries: readonly Entry[],
  terminals: Transcript['terminals'],
): Readonly<Record<string, Terminal>> {
  const ids = entries.flatMap((entry) =>
    entry.kind === 'tool'
      ? entry.content.flatMap((content) => (content.kind === 'terminal' ? [content.terminalId] : []))
      : [],
  );
  const used = new Set(ids);
  return Object.fromEntries(Object.entries(terminals).filter(([id]) => used.has(id)));
}

import { isObject, type JsonObject } from '../../shared/json';
import type { TranscriptEvent } from '../../shared/transcript/events';
import { isStoredEvent } from './storedEvent';

const NEW_LINE = 0x0a;

export interface StoredTranscript {
  /** The newest one, unchecked; undefined when every record of it was lost. */
  readonly head: JsonObject | undefined;
  readonly events: readonly TranscriptEvent[];
}

export interface ParsedLines extends StoredTranscript {
  /** Another version of Parley may have written records that this one does not know. */
  readonly hasUnknown: boolean;
}

export function headLine(head: object): string {
  return `${JSON.stringify({ v: 1, head })}\n`;
}

export function eventLines(events: readonly TranscriptEvent[]): string {
  return events.map((event) => `${JSON.stringify({ e: event })}\n`).join('');
}

/** A line that cannot be read costs that line only. Split as bytes: a log may be larger than a string. */
export function parseLines(bytes: Buffer, warn: (line: number, reason: string) => void): ParsedLines {
  let head: JsonObject | undefined;
  const events: TranscriptEvent[] = [];
  let hasUnknown = false;
  let line = 0;
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(NEW_LINE, start);
    const end = found < 0 ? bytes.length : found;
    const text = bytes.toString('utf8', start, end).trim();
    start = end + 1;
    line += 1;
    if (text === '') {
      continue;
    }
    const record = parseRecord(text);
    if (record === undefined) {
      warn(line, found < 0 ? 'it was not written to its end' : 'it is not a record');
    } else if (isObject(record.head)) {
      head = record.head;
    } else if (isStoredEvent(record.e)) {
      events.push(record.e);
    } else {
      hasUnknown = true;
      warn(line, 'it is of an unknown kind');
    }
  }
  return { head, events, hasUnknown };
}

function parseRecord(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

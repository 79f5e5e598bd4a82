import { useEffect, useRef, useState } from 'preact/hooks';
import { strings } from './strings';
import type { Entry, ToolEntry, Transcript } from '../shared/transcript/model';
import { entriesOfTurn, textOf } from '../shared/transcript/select';
import { commandOf, pathsOf } from './tool/toolSummary';

const ANNOUNCED_CHARS = 500;
const OBJECT_CHARS = 200;

interface AnnouncerProps {
  readonly sessionId: string;
  readonly transcript: Transcript;
}

interface Announcement {
  /** The same words twice are two announcements. */
  readonly count: number;
  readonly text: string;
}

/** For screen readers: every turn once, when it is over, and every question as it comes. */
export function Announcer({ sessionId, transcript }: AnnouncerProps) {
  const turnId = transcript.turn.state === 'running' ? transcript.turn.turnId : undefined;
  const seen = useRef({ sessionId, turnId });
  const [ended, setEnded] = useState<Announcement>({ count: 0, text: '' });
  useEffect(() => {
    const before = seen.current;
    seen.current = { sessionId, turnId };
    if (before.sessionId !== sessionId) {
      setEnded(({ count }) => ({ count: count + 1, text: '' }));
    } else if (before.turnId !== undefined && before.turnId !== turnId) {
      const text = outcomeOf(entriesOfTurn(transcript, before.turnId));
      setEnded(({ count }) => ({ count: count + 1, text }));
    }
  }, [sessionId, turnId]);
  return (
    <>
      <div class="visually-hidden" role="status" aria-live="polite">
        <div key={ended.count}>{ended.text}</div>
      </div>
      <div class="visually-hidden" role="alert" aria-live="assertive" aria-atomic="false">
        {transcript.entries.flatMap(questionsOf).map(({ key, text }) => (
          <div key={key}>{text}</div>
        ))}
      </div>
    </>
  );
}

/** What was answered; else why not. */
function outcomeOf(entries: readonly Entry[]): string {
  const said = entries.flatMap((entry) => (entry.kind === 'agent' ? textOf(entry.blocks) : []));
  const answer = plainText(said.filter((text) => text !== '').join('\n\n'));
  const notices = entries.flatMap((entry) => (entry.kind === 'notice' ? entry.text : []));
  const words = [answer, notices.at(-1) ?? ''].filter((text) => text !== '');
  return words.length === 0 ? strings.announceTurnEnd : words.join('\n');
}

interface Question {
  readonly key: string;
  readonly text: string;
}

const none: readonly Question[] = [];

function questionsOf(entry: Entry): readonly Question[] {
  if (entry.kind === 'elicitation' && entry.outcome === undefined) {
    return [{ key: entry.id, text: entry.message }];
  }
  if (entry.kind !== 'tool' || entry.permissions.length === 0) {
    return none;
  }
  return entry.permissions
    .filter(({ outcome }) => outcome === undefined)
    .map(({ requestId }) => ({ key: requestId, text: permissionWords(entry) }));
}

function permissionWords(tool: ToolEntry): string {
  const object = commandOf(tool) ?? pathsOf(tool)[0];
  const title = tool.title === '' ? (tool.name ?? '') : tool.title;
  return strings.announcePermission(
    strings.toolVerb(tool.toolKind),
    (object ?? title).slice(0, OBJECT_CHARS),
  );
}

function plainText(markdown: string): string {
  const plain = markdown
    .slice(0, 4 * ANNOUNCED_CHARS)
    .replace(/```[^\n]*\n?/g, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:[#>]+|[-*+]|\d+\.)\s+/gm, '')
    .replace(/[*_`|]/g, '')
    .trim();
  return plain.length > ANNOUNCED_CHARS ? `${plain.slice(0, ANNOUNCED_CHARS)}…` : plain;
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { strings } from '../shared/strings';
import type { Transcript } from '../shared/transcript/model';
import { lastAnswer, openPermissions } from '../shared/transcript/select';

const ANNOUNCED_CHARS = 500;

/** For screen readers: the answer once, when it is whole, and every question as it comes. */
export function Announcer({ transcript }: { readonly transcript: Transcript }) {
  const wasRunning = useRef(false);
  const [answer, setAnswer] = useState('');
  const isRunning = transcript.turn.state === 'running';
  useEffect(() => {
    if (wasRunning.current && !isRunning) {
      setAnswer(plainText(lastAnswer(transcript)));
    }
    wasRunning.current = isRunning;
  }, [isRunning]);
  return (
    <>
      <div class="visually-hidden" role="status" aria-live="polite">
        {answer}
      </div>
      <div class="visually-hidden" role="alert" aria-live="assertive">
        {openQuestion(transcript)}
      </div>
    </>
  );
}

function openQuestion(transcript: Transcript): string {
  const [permission] = openPermissions(transcript);
  if (permission !== undefined) {
    return strings.announcePermission(permission.tool.title);
  }
  const elicitation = transcript.entries.find(
    (entry) => entry.kind === 'elicitation' && entry.outcome === undefined,
  );
  return elicitation?.kind === 'elicitation' ? elicitation.message : '';
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

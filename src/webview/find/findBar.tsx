import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { strings } from '../../shared/strings';
import { IconButton } from '../controls/button';
import { findRanges } from './findRanges';
import { clearMarks, mark } from './marks';
import { rectOf, reveal } from './reveal';

/** While an answer grows, it is searched again at this pace. */
const AGAIN_MS = 150;

interface FindBarProps {
  /** Another number for every time the user asks for it. */
  readonly request: number;
  readonly sessionId: string;
  readonly onClose: () => void;
}

interface Found {
  readonly ranges: readonly Range[];
  readonly index: number;
}

const nothing: Found = { ranges: [], index: -1 };

/** Finds text in the conversation. It lies over its corner, so nothing moves for it. */
export function FindBar({ request, sessionId, onClose }: FindBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const [found, setFound] = useState(nothing);
  const { ranges, index } = found;

  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true });
    input.current?.select();
  }, [request]);

  useEffect(() => {
    const transcript = transcriptElement();
    if (transcript === null) {
      return;
    }
    const fresh = findRanges(transcript, query);
    const first = { ranges: fresh, index: indexInSight(transcript, fresh) };
    setFound(first);
    showCurrent(first);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changes = new window.MutationObserver(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        const again = findRanges(transcript, query);
        setFound((before) => ({
          ranges: again,
          index: Math.min(Math.max(before.index, 0), again.length - 1),
        }));
      }, AGAIN_MS);
    });
    changes.observe(transcript, { childList: true, characterData: true, subtree: true });
    return () => {
      changes.disconnect();
      clearTimeout(timer);
    };
  }, [query, sessionId]);

  useEffect(() => mark(ranges, ranges[index]), [ranges, index]);
  useEffect(() => clearMarks, []);

  const go = (step: number) => {
    if (ranges.length > 0) {
      const moved = { ranges, index: (index + step + ranges.length) % ranges.length };
      setFound(moved);
      showCurrent(moved);
    }
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      onClose();
    } else if (event.key === 'Enter' && event.target === input.current && !event.isComposing) {
      go(event.shiftKey ? -1 : 1);
    } else {
      return;
    }
    event.preventDefault();
    // Escape closes the bar and stops nothing.
    event.stopPropagation();
  };
  const isInVain = query !== '' && ranges.length === 0;
  return (
    <div class="find-bar" role="search" aria-label={strings.find} onKeyDown={press}>
      <input
        ref={input}
        class="input find-input"
        type="text"
        aria-label={strings.find}
        placeholder={strings.find}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <span class={`find-count${isInVain ? ' in-vain' : ''}`} role="status">
        {query !== '' && strings.findCount(index + 1, ranges.length)}
      </span>
      <IconButton
        icon="arrow-up"
        label={strings.findPrevious}
        tooltip={strings.findPreviousTooltip}
        isDisabled={ranges.length === 0}
        onClick={() => go(-1)}
      />
      <IconButton
        icon="arrow-down"
        label={strings.findNext}
        tooltip={strings.findNextTooltip}
        isDisabled={ranges.length === 0}
        onClick={() => go(1)}
      />
      <IconButton
        icon="close"
        label={strings.findClose}
        tooltip={strings.findCloseTooltip}
        onClick={onClose}
      />
    </div>
  );
}

function showCurrent({ ranges, index }: Found): void {
  const current = ranges[index];
  if (current !== undefined) {
    reveal(current);
  }
}

/** Searching starts where the user looks. */
function indexInSight(transcript: HTMLElement, ranges: readonly Range[]): number {
  const { top } = transcript.getBoundingClientRect();
  const below = ranges.findIndex((range) => rectOf(range, range.startContainer.parentElement).top >= top);
  return below < 0 ? ranges.length - 1 : below;
}

function transcriptElement(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-testid="transcript"]');
}

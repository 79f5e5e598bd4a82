import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { strings } from '../strings';
import { useChat } from '../chatContext';
import { IconButton } from '../controls/button';
import { clearMarks, mark } from './marks';
import { findMatches, openMatch, type Match } from './matches';
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
  readonly matches: readonly Match[];
  readonly index: number;
}

const nothing: Found = { matches: [], index: -1 };

/** Finds text in the conversation. It lies over its corner, so nothing moves for it. */
export function FindBar({ request, sessionId, onClose }: FindBarProps) {
  const { store } = useChat();
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const [found, setFound] = useState(nothing);
  const { matches, index } = found;
  const search = (root: HTMLElement) => findMatches(root, query, store.view.transcript);

  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true });
    input.current?.select();
  }, [request]);

  useEffect(() => {
    const transcript = transcriptElement();
    if (transcript === null) {
      return;
    }
    const fresh = search(transcript);
    const first = { matches: fresh, index: indexInSight(transcript, fresh) };
    setFound(first);
    showCurrent(first);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changes = new window.MutationObserver(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        const again = search(transcript);
        setFound((before) => ({ matches: again, index: samePlace(before, again) }));
      }, AGAIN_MS);
    });
    changes.observe(transcript, {
      childList: true,
      characterData: true,
      subtree: true,
      attributeFilter: ['hidden'],
    });
    return () => {
      changes.disconnect();
      clearTimeout(timer);
    };
  }, [query, sessionId]);

  useEffect(() => {
    const ranges = matches.flatMap(({ range }) => range ?? []);
    mark(ranges, matches[index]?.range);
  }, [matches, index]);
  useEffect(() => clearMarks, []);

  const go = (step: number) => {
    if (matches.length === 0) {
      return;
    }
    // What is closed was only counted so far: now it is wanted.
    const isSeen = matches[index]?.range !== undefined;
    const moved = { matches, index: isSeen ? (index + step + matches.length) % matches.length : index };
    setFound(moved);
    const transcript = transcriptElement();
    const target = matches[moved.index];
    if (transcript === null || target === undefined || target.range !== undefined) {
      showCurrent(moved);
      return;
    }
    openMatch(transcript, target, query);
    requestAnimationFrame(() => {
      const again = search(transcript);
      const opened = { matches: again, index: samePlace(moved, again) };
      setFound(opened);
      showCurrent(opened);
    });
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
  const isInVain = query !== '' && matches.length === 0;
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
        {query !== '' && strings.findCount(index + 1, matches.length)}
      </span>
      <IconButton
        icon="arrow-up"
        label={strings.findPrevious}
        tooltip={strings.findPreviousTooltip}
        isDisabled={matches.length === 0}
        onClick={() => go(-1)}
      />
      <IconButton
        icon="arrow-down"
        label={strings.findNext}
        tooltip={strings.findNextTooltip}
        isDisabled={matches.length === 0}
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

function showCurrent({ matches, index }: Found): void {
  const current = matches[index]?.range;
  if (current !== undefined) {
    reveal(current);
  }
}

/** Searching starts where the user looks, and opens nothing by itself. */
function indexInSight(transcript: HTMLElement, matches: readonly Match[]): number {
  const { top } = transcript.getBoundingClientRect();
  const below = matches.findIndex(
    ({ range }) => range !== undefined && rectOf(range, range.startContainer.parentElement).top >= top,
  );
  const last = matches.findLastIndex(({ range }) => range !== undefined);
  return below >= 0 ? below : Math.max(last, Math.min(0, matches.length - 1));
}

/** Where the current match is now that there are others, before it or in what was opened. */
function samePlace({ matches, index }: Found, again: readonly Match[]): number {
  const current = matches[index];
  const there = again.flatMap((match, at) => (match.entryId === current?.entryId ? [at] : []));
  const same = there[Math.min(current?.ordinal ?? 0, there.length - 1)];
  return same ?? Math.min(Math.max(index, 0), again.length - 1);
}

function transcriptElement(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-testid="transcript"]');
}

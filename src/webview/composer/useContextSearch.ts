import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ContextSuggestion } from '../../shared/attachments';
import type { HostMessage } from '../../shared/protocol';
import { useChat } from '../chatContext';

const TYPING_MS = 60;

/** Never used twice in a page: an answer to a composer that is gone must not reach the next one. */
let lastRequestId = 0;

type ContextFound = Extract<HostMessage, { type: 'contextFound' }>;

interface Found {
  readonly query: string | undefined;
  readonly suggestions: readonly ContextSuggestion[];
}

const nothing: Found = { query: undefined, suggestions: [] };

export interface ContextSearch {
  readonly suggestions: readonly ContextSuggestion[];
  /** They were found for another query; what is found for this one is still to come. */
  readonly isSearching: boolean;
  readonly receive: (answer: ContextFound) => void;
}

/** What the host finds for a query. While it looks for a longer one, the last answer stays. */
export function useContextSearch(query: string | undefined): ContextSearch {
  const chat = useChat();
  const awaited = useRef<{ readonly requestId: number; readonly query: string }>(undefined);
  const [found, setFound] = useState(nothing);
  useEffect(() => {
    awaited.current = undefined;
    if (query === undefined) {
      setFound(nothing);
      return;
    }
    const ask = () => {
      lastRequestId += 1;
      awaited.current = { requestId: lastRequestId, query };
      chat.post({ type: 'searchContext', requestId: lastRequestId, query });
    };
    const timer = setTimeout(ask, query === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [chat, query]);
  const receive = useCallback((answer: ContextFound) => {
    if (answer.requestId === awaited.current?.requestId) {
      setFound({ query: awaited.current.query, suggestions: answer.suggestions });
    }
  }, []);
  return {
    suggestions: query === undefined ? nothing.suggestions : found.suggestions,
    isSearching: found.query !== query,
    receive,
  };
}

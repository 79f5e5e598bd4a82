import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ContextSuggestion } from '../../shared/attachments';
import type { HostMessage } from '../../shared/protocol';
import { useChat } from '../chatContext';

const TYPING_MS = 60;
const none: readonly ContextSuggestion[] = [];

/** Never used twice in a page: an answer to a composer that is gone must not reach the next one. */
let lastRequestId = 0;

type ContextFound = Extract<HostMessage, { type: 'contextFound' }>;

/** What the host finds for a query. While it looks for a longer one, the last answer stays. */
export function useContextSearch(
  query: string | undefined,
): readonly [readonly ContextSuggestion[], (answer: ContextFound) => void] {
  const chat = useChat();
  const awaited = useRef<number>(undefined);
  const [found, setFound] = useState(none);
  useEffect(() => {
    awaited.current = undefined;
    if (query === undefined) {
      setFound(none);
      return;
    }
    const ask = () => {
      lastRequestId += 1;
      awaited.current = lastRequestId;
      chat.post({ type: 'searchContext', requestId: lastRequestId, query });
    };
    const timer = setTimeout(ask, query === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [chat, query]);
  const receive = useCallback((answer: ContextFound) => {
    if (answer.requestId === awaited.current) {
      setFound(answer.suggestions);
    }
  }, []);
  return [query === undefined ? none : found, receive];
}

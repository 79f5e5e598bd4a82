import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useChat } from '../chatContext';
import { StreamingMarkdown } from './streamingMarkdown';

interface MarkdownProps {
  readonly text: string;
  /** More text may come. */
  readonly isLive?: boolean;
}

/** The DOM inside is not preact's: settled blocks must never be touched again. */
export function Markdown({ text, isLive = false }: MarkdownProps) {
  const { images } = useChat();
  const container = useRef<HTMLDivElement>(null);
  const streaming = useRef<StreamingMarkdown>(undefined);
  const wasLive = useRef(isLive);
  useLayoutEffect(() => {
    if (container.current === null) {
      return;
    }
    streaming.current ??= new StreamingMarkdown(container.current, images.load);
    wasLive.current ||= isLive;
    if (wasLive.current) {
      streaming.current.updateGradually(text);
    } else {
      streaming.current.update(text);
    }
    if (!isLive) {
      streaming.current.finish();
    }
  }, [text, isLive]);
  useEffect(() => () => streaming.current?.dispose(), []);
  return <div ref={container} class="markdown" />;
}

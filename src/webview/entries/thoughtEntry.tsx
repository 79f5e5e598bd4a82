import { strings } from '../strings';
import { textOf } from '../../shared/transcript/select';
import type { ContentBlock, ThoughtEntry } from '../../shared/transcript/model';
import { useExpansion } from '../chatContext';
import { ContentBlocks } from '../contentBlocks';
import { Icon } from '../controls/icon';
import { TurnFacts } from './turnFactsLine';

export function ThoughtRow({ entry, isLive }: { readonly entry: ThoughtEntry; readonly isLive: boolean }) {
  const [isOpen, toggle] = useExpansion(entry.id, false);
  return (
    <div class="entry thought" data-entry={entry.id} data-kind="thought">
      <button type="button" class="line-button" aria-expanded={isOpen} onClick={toggle}>
        <Icon name="lightbulb" />
        <span class="line-title">
          {isLive ? strings.thinking : strings.thoughtFor(entry.endedAt - entry.at)}
        </span>
        {isLive && !isOpen && (
          <span class="thought-tail" aria-hidden="true">
            {lastLine(entry.blocks)}
          </span>
        )}
        <TurnFacts />
        <span class="line-chevron">
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        </span>
      </button>
      {isOpen && (
        <div class="thought-text">
          <ContentBlocks blocks={entry.blocks} text="markdown" isLive={isLive} />
        </div>
      )}
    </div>
  );
}

/** Of a long thought only its end is looked at, whatever came before. */
const TAIL_CHARS = 400;

function lastLine(blocks: readonly ContentBlock[]): string {
  const text = textOf(blocks.slice(-1)).slice(-TAIL_CHARS).trimEnd();
  return text.slice(text.lastIndexOf('\n') + 1).replace(/[*_`#]/g, '');
}

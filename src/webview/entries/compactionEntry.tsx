import { strings } from '../strings';
import type { CompactionEntry } from '../../shared/transcript/model';
import { useExpansion } from '../chatContext';
import { Icon } from '../controls/icon';
import { LineHead } from '../controls/lineHead';
import { Markdown } from '../markdown/markdown';

export function CompactionRow({ entry }: { readonly entry: CompactionEntry }) {
  const [isOpen, toggle] = useExpansion(entry.id, false);
  const hasFailed = entry.status === 'failed';
  return (
    <div
      class="entry compaction"
      data-entry={entry.id}
      data-kind="notice"
      data-severity={hasFailed ? 'error' : 'info'}
    >
      <LineHead isOpen={entry.summary === '' ? undefined : isOpen} onToggle={toggle}>
        <Icon
          name={entry.status === 'running' ? 'loading' : 'fold'}
          isSpinning={entry.status === 'running'}
        />
        <span class="line-title">
          {strings.compaction[entry.status]}
          {entry.error !== undefined && ` ${entry.error}`}
        </span>
        {entry.summary !== '' && (
          <span class="line-chevron">
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          </span>
        )}
      </LineHead>
      {isOpen && entry.summary !== '' && (
        <div class="tool-body">
          <Markdown text={entry.summary} isLive={entry.status === 'running'} />
        </div>
      )}
    </div>
  );
}

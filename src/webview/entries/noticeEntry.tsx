import { useState } from 'preact/hooks';
import { strings } from '../strings';
import type { NoticeEntry } from '../../shared/transcript/model';
import { runAction, useChat } from '../chatContext';
import { Button } from '../controls/button';
import { Icon } from '../controls/icon';

export function NoticeRow({ entry }: { readonly entry: NoticeEntry }) {
  const chat = useChat();
  const [hasDetail, setHasDetail] = useState(false);
  return (
    <div class="entry notice" data-entry={entry.id} data-kind="notice" data-severity={entry.severity}>
      <Icon name={entry.severity} />
      <div class="notice-text">
        <span dir="auto">{entry.text}</span>{' '}
        {entry.detail !== undefined && (
          <button
            type="button"
            class="link-button"
            aria-expanded={hasDetail}
            onClick={() => setHasDetail(!hasDetail)}
          >
            {hasDetail ? strings.hideDetails : strings.showDetails}
          </button>
        )}
        {hasDetail && (
          <pre class="box box-text notice-detail" tabIndex={0} role="group" aria-label={strings.details}>
            {entry.detail}
          </pre>
        )}
        {entry.actions.length > 0 && (
          <div class="notice-actions">
            {entry.actions.map((action, index) => (
              <Button
                key={`${action.command} ${action.label}`}
                isSecondary={index > 0 || entry.severity !== 'error'}
                onClick={() => runAction(chat, action.command, action.argument)}
              >
                {action.label}
              </Button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

import type { ChangesSummary, WebviewMessage } from '../../shared/protocol';
import { strings } from '../strings';
import { useChat } from '../chatContext';
import { Icon } from '../controls/icon';
import { shortcut } from '../shortcut';

interface ChangesBarProps {
  readonly sessionId: string;
  readonly changes: ChangesSummary;
}

/** What waits for a review, or the way back from the last one. */
export function ChangesBar({ sessionId, changes }: ChangesBarProps) {
  const { files, added, removed, reviewed } = changes;
  if (files === 0 && reviewed === undefined) {
    return null;
  }
  return (
    <div class="strip changes-bar" data-testid="changes-bar" role="group" aria-label={strings.changes}>
      {files === 0 && reviewed !== undefined ? (
        <>
          <Icon name={reviewed.kind === 'kept' ? 'check' : 'discard'} />
          <span class="strip-text" role="status">
            {strings.reviewed(reviewed.kind, reviewed.files)}
          </span>
          <BarButton
            label={strings.undo}
            tooltip={strings.undoReview[reviewed.kind]}
            message={{ type: 'undoReview' }}
          />
        </>
      ) : (
        <>
          <Icon name="diff-multiple" />
          <span class="strip-text">
            {strings.fileCount(files)}{' '}
            <span class="changes-counts" role="img" aria-label={strings.lineCounts(added, removed)}>
              {added > 0 && <span class="changes-added">+{added}</span>}{' '}
              {removed > 0 && <span class="changes-removed">−{removed}</span>}
            </span>
          </span>
          <BarButton
            label={strings.reviewChanges}
            tooltip={strings.reviewChangesTooltip(
              shortcut('parley.previousChange'),
              shortcut('parley.nextChange'),
            )}
            message={{ type: 'reviewChanges', sessionId }}
          />
          <BarButton
            label={strings.keep}
            tooltip={strings.keepChangesTooltip}
            message={{ type: 'keepChanges', sessionId }}
          />
          <BarButton
            label={strings.undo}
            tooltip={strings.undoChangesTooltip}
            message={{ type: 'undoChanges', sessionId }}
          />
        </>
      )}
    </div>
  );
}

interface BarButtonProps {
  readonly label: string;
  readonly tooltip: string;
  readonly message: WebviewMessage;
}

function BarButton({ label, tooltip, message }: BarButtonProps) {
  const chat = useChat();
  return (
    <button
      type="button"
      class="link-button changes-action"
      title={tooltip}
      onClick={() => chat.post(message)}
    >
      {label}
    </button>
  );
}

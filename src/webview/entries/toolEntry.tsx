import { strings } from '../strings';
import type { ToolEntry } from '../../shared/transcript/model';
import { useExpansion, useWorkdir } from '../chatContext';
import { WithCode } from '../controls/withCode';
import { Icon } from '../controls/icon';
import { LineHead } from '../controls/lineHead';
import { shortcut } from '../shortcut';
import { DiffCounts } from '../tool/diffView';
import { diffOf } from '../tool/diffLines';
import { answersOf, ruleAnswerOf } from '../tool/permissionAnswer';
import { PermissionAnswer, PermissionCard } from '../tool/permissionCard';
import { RawData } from '../tool/rawData';
import { useCallsBelow, useOwnCalls } from '../tool/subagentCalls';
import { ToolBody } from '../tool/toolBody';
import { commandOf, diffsOf, isBusy, summarize, summarizeOpen, toolIcon } from '../tool/toolSummary';
import { NestedCalls } from './nestedCalls';
import { TurnFacts } from './turnFactsLine';

export function ToolRow({ entry }: { readonly entry: ToolEntry }) {
  return useOwnCalls([entry]).length === 0 ? null : <ToolCall entry={entry} />;
}

function ToolCall({ entry }: { readonly entry: ToolEntry }) {
  const below = useCallsBelow(entry.id);
  const open = entry.permissions.filter((permission) => permission.outcome === undefined);
  const isWaiting = open.length > 0;
  const [isExpanded, toggle] = useExpansion(
    entry.id,
    (isBusy(entry) && (hasContent(entry) || below.calls.length > 0)) || entry.status === 'failed',
  );
  const hasBody = hasSomethingToShow(entry) || below.calls.length > 0;
  const rule = ruleAnswerOf(entry);
  // A question is never hidden: without an answer the turn stands still.
  const isOpen = (isExpanded && hasBody) || isWaiting;
  return (
    <div
      class={`entry tool${isWaiting ? ' waiting' : ''}`}
      data-entry={entry.id}
      data-kind="tool"
      data-status={entry.status}
      data-tool-kind={entry.toolKind}
      data-parent={entry.parentId}
    >
      <LineHead class="tool-head" isOpen={hasBody && !isWaiting ? isOpen : undefined} onToggle={toggle}>
        <Icon name={toolIcon(entry)} />
        <ToolTitle entry={entry} isOpen={isOpen} />
        <ToolCounts entry={entry} />
        {hasBody && !isWaiting && (
          <span class="line-chevron" title={strings.toggleToolCalls(shortcut('parley.toggleToolCalls'))}>
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          </span>
        )}
        <TurnFacts />
        <ToolStatusIcon entry={entry} isWaiting={isWaiting} />
      </LineHead>
      {rule !== undefined && !isOpen && (
        <div class="tool-rule" title={rule}>
          {rule}
        </div>
      )}
      {isOpen && (
        <div class="tool-body">
          {isWaiting ? (
            open.map((permission) => (
              <PermissionCard key={permission.requestId} tool={entry} permission={permission} />
            ))
          ) : (
            <>
              <ToolBody tool={entry} />
              {entry.permissions.map((permission) => (
                <PermissionAnswer key={permission.requestId} permission={permission} />
              ))}
            </>
          )}
          {!isWaiting && <RawData tool={entry} />}
        </div>
      )}
      {below.calls.length > 0 && (
        <NestedCalls
          parentId={entry.id}
          calls={below.calls}
          isOpen={isOpen || below.areWaiting}
          mayGoOn={isBusy(entry)}
        />
      )}
    </div>
  );
}

function ToolTitle({ entry, isOpen }: { readonly entry: ToolEntry; readonly isOpen: boolean }) {
  const workdir = useWorkdir();
  const { title, object } = isOpen ? summarizeOpen(entry, workdir) : summarize(entry, workdir);
  const tooltip = [title, ...(object === undefined ? [] : [object]), ...answersOf(entry)].join('\n');
  return (
    <span class="line-title tool-title" title={tooltip}>
      <WithCode text={title} />
      {object !== undefined && ' '}
      {object !== undefined && <code>{object}</code>}
    </span>
  );
}

function ToolCounts({ entry }: { readonly entry: ToolEntry }) {
  const diffs = diffsOf(entry).map(diffOf);
  if (diffs.length === 0) {
    return null;
  }
  const added = diffs.reduce((sum, diff) => sum + diff.added, 0);
  const removed = diffs.reduce((sum, diff) => sum + diff.removed, 0);
  return (
    <>
      {' '}
      <DiffCounts added={added} removed={removed} />
    </>
  );
}

function ToolStatusIcon({ entry, isWaiting }: { readonly entry: ToolEntry; readonly isWaiting: boolean }) {
  const label = isWaiting ? strings.waitingForYou : strings.toolStatus[entry.status];
  return (
    <span class="tool-status" role="img" aria-label={label} title={label}>
      <StatusIcon status={isWaiting ? 'waiting' : entry.status} />
    </span>
  );
}

function StatusIcon({ status }: { readonly status: ToolEntry['status'] | 'waiting' }) {
  switch (status) {
    case 'waiting':
      return <Icon name="question" />;
    case 'pending':
      return <Icon name="circle-large-outline" />;
    case 'running':
      return <Icon name="loading" isSpinning />;
    case 'completed':
      return <Icon name="check" />;
    case 'failed':
      return <Icon name="error" />;
    case 'rejected':
    case 'cancelled':
      return <Icon name="circle-slash" />;
  }
}

/** There is more than a place and raw data, which are not worth a body that opens and closes by itself. */
function hasContent(entry: ToolEntry): boolean {
  return entry.content.length > 0 || commandOf(entry) !== undefined;
}

function hasSomethingToShow(entry: ToolEntry): boolean {
  return (
    entry.content.length > 0 ||
    entry.locations.length > 0 ||
    entry.rawInput !== undefined ||
    entry.rawOutput !== undefined ||
    entry.permissions.length > 0
  );
}

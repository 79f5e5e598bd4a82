import { Component, type ComponentChild } from 'preact';
import { assertNever } from '../../shared/assertNever';
import type { Entry } from '../../shared/transcript/model';
import { AgentRow } from './agentEntry';
import { CompactionRow } from './compactionEntry';
import { ElicitationRow } from './elicitationEntry';
import { NoticeRow } from './noticeEntry';
import { PlanRow } from './planEntry';
import { ThoughtRow } from './thoughtEntry';
import { ToolRow } from './toolEntry';
import { UserRow } from './userEntry';

interface EntryRowProps {
  readonly entry: Entry;
  /** The last entry of a running turn: more of it may come. */
  readonly isLive: boolean;
}

/** Rows are skipped by identity: the reducer keeps the object of every entry it does not change. */
export class EntryRow extends Component<EntryRowProps> {
  override shouldComponentUpdate(next: EntryRowProps): boolean {
    return next.entry !== this.props.entry || next.isLive !== this.props.isLive;
  }

  override render({ entry, isLive }: EntryRowProps): ComponentChild {
    switch (entry.kind) {
      case 'user':
        return <UserRow entry={entry} />;
      case 'agent':
        return <AgentRow entry={entry} isLive={isLive} />;
      case 'thought':
        return <ThoughtRow entry={entry} isLive={isLive} />;
      case 'tool':
        return <ToolRow entry={entry} />;
      case 'plan':
        return <PlanRow entry={entry} />;
      case 'notice':
        return <NoticeRow entry={entry} />;
      case 'elicitation':
        return <ElicitationRow entry={entry} />;
      case 'compaction':
        return <CompactionRow entry={entry} />;
      default:
        return assertNever(entry);
    }
  }
}

import type { Entry } from '../../shared/transcript/model';
import { inSession, useChat } from '../chatContext';
import { keyOf } from '../transcriptChunks';
import { rowsOf } from '../transcriptRows';
import { EntryRow } from './entryRow';
import { ToolGroup } from './toolGroup';

interface EntryRowsProps {
  readonly entries: readonly Entry[];
  /** The entry that is being written, if it is among them. */
  readonly live?: Entry | undefined;
  /** More entries may follow the last one. */
  readonly isOpenEnd: boolean;
}

/** Entries one below the other, with what may fold folded. */
export function EntryRows({ entries, live, isOpenEnd }: EntryRowsProps) {
  const chat = useChat();
  const choice = (id: string) => chat.expansion.get(inSession(chat, id));
  return (
    <>
      {rowsOf(entries, isOpenEnd, choice).map((row) =>
        row.kind === 'group' ? (
          <ToolGroup key={`group ${row.id}`} id={row.id} tools={row.tools} />
        ) : (
          <EntryRow key={keyOf(row.entry)} entry={row.entry} isLive={row.entry === live} />
        ),
      )}
    </>
  );
}

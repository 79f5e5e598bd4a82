import { Component, type ComponentChild } from 'preact';
import type { Entry } from '../shared/transcript/model';
import { EntryRow } from './entries/entryRow';
import { ToolGroup } from './entries/toolGroup';
import { keyOf, type Chunk } from './transcriptChunks';
import { rowsOf } from './transcriptRows';

interface RowChunkProps {
  readonly chunk: Chunk;
  /** The entry that is being written, if it is in this chunk. */
  readonly live: Entry | undefined;
  /** So far from the end that the browser may leave it out while it is out of sight. */
  readonly isFar: boolean;
}

/** Skipped as a whole by identity, so that a change costs the same after many entries as after few. */
export class RowChunk extends Component<RowChunkProps> {
  override shouldComponentUpdate(next: RowChunkProps): boolean {
    const { chunk, live, isFar } = this.props;
    return next.chunk !== chunk || next.live !== live || next.isFar !== isFar;
  }

  override render({ chunk, live, isFar }: RowChunkProps): ComponentChild {
    return (
      <div class={isFar ? 'row-chunk far' : 'row-chunk'}>
        {rowsOf(chunk.entries).map((row) =>
          row.kind === 'group' ? (
            <ToolGroup key={`group ${row.id}`} id={row.id} tools={row.tools} />
          ) : (
            <EntryRow key={keyOf(row.entry)} entry={row.entry} isLive={row.entry === live} />
          ),
        )}
      </div>
    );
  }
}

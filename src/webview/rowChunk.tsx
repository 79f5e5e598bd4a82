import { Component, createRef, type ComponentChild } from 'preact';
import type { Entry } from '../shared/transcript/model';
import { EntryRows } from './entries/entryRows';
import { setAside } from './setAside';
import type { Chunk } from './transcriptChunks';

interface RowChunkProps {
  readonly chunk: Chunk;
  /** The entry that is being written, if it is in this chunk. */
  readonly live: Entry | undefined;
  /** So far from the end that the browser may leave it out while it is out of sight. */
  readonly isFar: boolean;
}

/** Skipped as a whole by identity, so that a change costs the same after many entries as after few. */
export class RowChunk extends Component<RowChunkProps> {
  private readonly element = createRef<HTMLDivElement>();

  override shouldComponentUpdate(next: RowChunkProps): boolean {
    const { chunk, live, isFar } = this.props;
    return next.chunk !== chunk || next.live !== live || next.isFar !== isFar;
  }

  override componentDidMount(): void {
    if (this.props.isFar) {
      this.element.current?.classList.add('far');
    }
  }

  override componentDidUpdate({ isFar: wasFar }: RowChunkProps): void {
    if (this.props.isFar && !wasFar && this.element.current !== null) {
      setAside(this.element.current);
    }
  }

  override render({ chunk, live }: RowChunkProps): ComponentChild {
    return (
      <div ref={this.element} class={live === undefined ? 'row-chunk' : 'row-chunk live'}>
        <EntryRows entries={chunk.entries} live={live} isOpenEnd={live !== undefined} />
      </div>
    );
  }
}

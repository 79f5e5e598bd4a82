import { assertNever } from '../shared/assertNever';
import { strings } from './strings';
import type { ContentBlock } from '../shared/transcript/model';
import { Chip, fileNameOf } from './blockChip';
import { EmbeddedText } from './embeddedText';
import { Markdown } from './markdown/markdown';

interface ContentBlocksProps {
  readonly blocks: readonly ContentBlock[];
  /** What users write is theirs to read as they wrote it; what agents write is Markdown. */
  readonly text: 'plain' | 'markdown';
  readonly isLive?: boolean;
}

export function ContentBlocks({ blocks, text, isLive = false }: ContentBlocksProps) {
  return (
    <>
      {blocks.map((block, index) => (
        <Block key={index} block={block} text={text} isLive={isLive && index === blocks.length - 1} />
      ))}
    </>
  );
}

interface BlockProps {
  readonly block: ContentBlock;
  readonly text: 'plain' | 'markdown';
  readonly isLive: boolean;
}

function Block({ block, text, isLive }: BlockProps) {
  switch (block.kind) {
    case 'text':
      return text === 'markdown' ? (
        <Markdown text={block.text} isLive={isLive} />
      ) : (
        <div class="plain-text" dir="auto">
          {block.text}
        </div>
      );
    case 'image':
      return <Image mimeType={block.mimeType} data={block.data} uri={block.uri} />;
    case 'audio':
      return <Audio mimeType={block.mimeType} data={block.data} />;
    case 'resource':
      return <Resource {...block} />;
    case 'resourceLink':
      return (
        <Chip
          icon={/^https?:/i.test(block.uri) ? 'link-external' : 'file'}
          label={block.title ?? block.name}
          detail={block.description ?? block.uri}
          uri={block.uri}
        />
      );
    case 'unknown':
      return (
        <details class="unknown-block">
          <summary>{strings.unknownContent(block.type)}</summary>
          <pre tabIndex={0}>{block.json}</pre>
        </details>
      );
    default:
      return assertNever(block);
  }
}

const SHOWN_IMAGES = /^image\/(?:png|jpeg|gif|webp)$/i;

function Image(props: {
  readonly mimeType: string;
  readonly data: string;
  readonly uri: string | undefined;
}) {
  if (!SHOWN_IMAGES.test(props.mimeType)) {
    return <Chip icon="file-media" label={strings.image} detail={props.mimeType} />;
  }
  const label = props.uri === undefined ? strings.image : fileNameOf(props.uri);
  return <img class="image-block" alt={label} src={`data:${props.mimeType};base64,${props.data}`} />;
}

const PLAYED_AUDIO = /^audio\/[\w.+-]+$/i;

function Audio({ mimeType, data }: { readonly mimeType: string; readonly data: string }) {
  return PLAYED_AUDIO.test(mimeType) ? (
    <audio class="audio-block" controls aria-label={strings.audio} src={`data:${mimeType};base64,${data}`} />
  ) : (
    <Chip icon="unmute" label={strings.audio} detail={mimeType} />
  );
}

function Resource({
  uri,
  mimeType = '',
  text,
  blob,
}: Omit<Extract<ContentBlock, { kind: 'resource' }>, 'kind'>) {
  if (text !== undefined && text !== '') {
    return <EmbeddedText uri={uri} text={text} />;
  }
  if (blob !== undefined && SHOWN_IMAGES.test(mimeType)) {
    return <Image mimeType={mimeType} data={blob} uri={uri} />;
  }
  if (blob !== undefined && PLAYED_AUDIO.test(mimeType)) {
    return <Audio mimeType={mimeType} data={blob} />;
  }
  const bytes = blob === undefined ? undefined : (blob.length * 3) / 4;
  const label = strings.resource(fileNameOf(uri), mimeType, bytes);
  return <Chip icon={blob === undefined ? 'file' : 'file-binary'} label={label} detail={uri} uri={uri} />;
}

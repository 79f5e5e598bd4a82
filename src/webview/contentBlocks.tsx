import { assertNever } from '../shared/assertNever';
import { strings } from '../shared/strings';
import type { ContentBlock } from '../shared/transcript/model';
import { Icon } from './controls/icon';
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
      return <Chip icon="unmute" label={strings.audio} detail={block.mimeType} />;
    case 'resource':
      return <Chip icon="file" label={fileName(block.uri)} detail={block.uri} path={filePath(block.uri)} />;
    case 'resourceLink':
      return (
        <Chip
          icon="file"
          label={block.title ?? block.name}
          detail={block.description ?? block.uri}
          path={filePath(block.uri)}
          href={/^https?:/i.test(block.uri) ? block.uri : undefined}
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
  const label = props.uri === undefined ? strings.image : fileName(props.uri);
  return <img class="image-block" alt={label} src={`data:${props.mimeType};base64,${props.data}`} />;
}

interface ChipProps {
  readonly icon: string;
  readonly label: string;
  readonly detail: string;
  readonly path?: string;
  readonly href?: string;
}

function Chip({ icon, label, detail, path, href }: ChipProps) {
  const inside = (
    <>
      <Icon name={icon} />
      <span class="chip-label">{label}</span>
    </>
  );
  if (path === undefined && href === undefined) {
    return (
      <span class="chip" title={detail}>
        {inside}
      </span>
    );
  }
  return (
    <a class="chip" title={detail} role="link" tabIndex={0} href={href} data-path={path}>
      {inside}
    </a>
  );
}

function filePath(uri: string): string | undefined {
  if (/^file:\/\//i.test(uri)) {
    return decoded(uri.replace(/^file:\/\//i, '').replace(/#.*$/, ''));
  }
  return /^\w[\w+.-]+:/.test(uri) ? undefined : uri;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fileName(uri: string): string {
  const clean = uri.replace(/[#?].*$/, '').replace(/[\\/]+$/, '');
  return clean.slice(Math.max(clean.lastIndexOf('/'), clean.lastIndexOf('\\')) + 1) || uri;
}

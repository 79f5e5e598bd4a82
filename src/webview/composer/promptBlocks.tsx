import { readAttachedText } from '../../shared/attachments';
import { strings } from '../strings';
import type { ContentBlock } from '../../shared/transcript/model';
import { ContentBlocks } from '../contentBlocks';
import { Icon } from '../controls/icon';
import { nameOf, placeOf } from './attachmentList';
import { contextWords } from './contextWords';

/** A prompt that was sent: what went along as one line of chips, then the words. */
export function PromptBlocks({ blocks }: { readonly blocks: readonly ContentBlock[] }) {
  const attached = blocks.filter(isAttached);
  return (
    <>
      {attached.length > 0 && (
        <div class="attachments sent">
          {attached.map((block, index) => (
            <SentChip key={index} block={block} />
          ))}
        </div>
      )}
      <ContentBlocks blocks={blocks.filter((block) => !isAttached(block))} text="plain" />
    </>
  );
}

type AttachedBlock = Extract<ContentBlock, { kind: 'resource' | 'resourceLink' | 'image' | 'text' }>;

function isAttached(block: ContentBlock): block is AttachedBlock {
  switch (block.kind) {
    case 'resource':
    case 'resourceLink':
      return true;
    case 'image':
      return SHOWN_IMAGES.test(block.mimeType);
    case 'text':
      return readAttachedText(block.text) !== undefined;
    default:
      return false;
  }
}

const SHOWN_IMAGES = /^image\/(?:png|jpeg|gif|webp)$/i;

function SentChip({ block }: { readonly block: AttachedBlock }) {
  switch (block.kind) {
    case 'image': {
      const name = block.uri === undefined ? strings.image : nameOf(placeOf(block.uri)?.path ?? block.uri);
      return (
        <img class="sent-image" alt={name} title={name} src={`data:${block.mimeType};base64,${block.data}`} />
      );
    }
    case 'text': {
      const { name, text } = readAttachedText(block.text) ?? { name: '', text: '' };
      return (
        <details class="attachment-text">
          <summary class="attachment">
            <Icon name="note" />
            <span class="attachment-name">{name}</span>
          </summary>
          <pre tabIndex={0}>{text}</pre>
        </details>
      );
    }
    default:
      return <FileChip block={block} />;
  }
}

function FileChip({
  block,
}: {
  readonly block: Extract<AttachedBlock, { kind: 'resource' | 'resourceLink' }>;
}) {
  const place = placeOf(block.uri);
  const isFolder = block.mimeType === 'inode/directory';
  const given = block.kind === 'resourceLink' ? (block.title ?? block.name) : nameOf(decoded(block.uri));
  const lines =
    place?.startLine === undefined
      ? ''
      : `:${contextWords.lines(place.startLine, place.endLine ?? place.startLine)}`;
  const inside = (
    <>
      <Icon name={isFolder ? 'folder' : iconFor(lines)} />
      <span class="attachment-name">
        {place === undefined ? given : nameOf(place.path)}
        {lines}
      </span>
    </>
  );
  if (place === undefined || isFolder) {
    const href = /^https?:/i.test(block.uri) ? block.uri : undefined;
    return href === undefined ? (
      <span class="attachment" title={place?.path ?? decoded(block.uri)}>
        {inside}
      </span>
    ) : (
      <a class="attachment" href={href} title={href}>
        {inside}
      </a>
    );
  }
  return (
    <a
      class="attachment"
      role="link"
      tabIndex={0}
      title={strings.openFile(place.path + lines)}
      data-path={place.path}
      data-line={place.startLine}
    >
      {inside}
    </a>
  );
}

function iconFor(lines: string): string {
  return lines === '' ? 'file' : 'selection';
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

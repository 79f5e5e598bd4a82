import { relativePath } from '../relativePath';
import { strings } from '../strings';
import { currentSessionId, useChat, useWorkdir } from '../chatContext';
import { IconButton } from '../controls/button';
import { colouredLine, useDiffColours } from './diffColours';
import { diffOf } from './diffLines';
import { fileName, type DiffContent } from './toolSummary';

interface DiffViewProps {
  readonly toolId: string;
  /** Its place in the tool's content. */
  readonly index: number;
  readonly content: DiffContent;
  /** With a single file, the tool's own line counts its lines already. */
  readonly hasCounts: boolean;
}

const signs = { added: '+', removed: '−', same: ' ', gap: '' } as const;

export function DiffView({ toolId, index, content, hasCounts }: DiffViewProps) {
  const chat = useChat();
  const shown = relativePath(useWorkdir(), content.path);
  const diff = diffOf(content);
  const colours = useDiffColours(content);
  const open = () => {
    chat.post({ type: 'openDiff', sessionId: currentSessionId(chat), toolId, index });
  };
  return (
    <div class="box diff">
      <div class="box-bar">
        <a role="link" tabIndex={0} class="file-name" data-path={content.path} title={content.path}>
          <bdi>{fileName(shown)}</bdi>
        </a>
        <span class="path file-folder">
          <bdi>{shown.slice(0, -fileName(shown).length - 1)}</bdi>
        </span>
        {hasCounts && <DiffCounts added={diff.added} removed={diff.removed} />}
        <IconButton icon="git-compare" label={strings.openDiff} onClick={open} />
      </div>
      <div class="box-scroll" tabIndex={0} role="group" aria-label={strings.diffLabel(content.path)}>
        <div class="diff-lines" dir="ltr">
          {diff.lines.map((line, at) => (
            <div key={at} class={`diff-line ${line.kind}`}>
              <span class="diff-number" aria-hidden="true">
                {line.kind === 'gap' ? '⋯' : line.number}
              </span>
              <span class="diff-sign">{signs[line.kind]}</span>
              <LineText text={line.text} html={colouredLine(colours, line)} />
            </div>
          ))}
        </div>
        {diff.lines.length === 0 && <div class="box-note">{strings.noChanges}</div>}
        {diff.isCut && <div class="box-note">{strings.diffCut}</div>}
      </div>
    </div>
  );
}

interface LineTextProps {
  readonly text: string;
  readonly html: string | undefined;
}

function LineText({ text, html }: LineTextProps) {
  return html === undefined ? (
    <span key="plain" class="diff-text">
      {text}
    </span>
  ) : (
    <span key="coloured" class="diff-text" dangerouslySetInnerHTML={{ __html: html }} />
  );
}

export function DiffCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span class="diff-counts">
      {added > 0 && <span class="diff-added">+{added}</span>}
      {removed > 0 && <span class="diff-removed">−{removed}</span>}
    </span>
  );
}

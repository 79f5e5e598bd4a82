import { assertNever } from '../../shared/assertNever';
import { relativePath } from '../relativePath';
import { strings } from '../strings';
import { commandFolderOf } from '../../shared/transcript/command';
import type { Location, ToolContent, ToolEntry } from '../../shared/transcript/model';
import { useWorkdir } from '../chatContext';
import { ContentBlocks } from '../contentBlocks';
import { DiffView } from './diffView';
import { TerminalView } from './terminalView';
import { commandOf, diffsOf, isBusy } from './toolSummary';

/** Everything about a tool call that does not fit on its line. */
export function ToolBody({ tool }: { readonly tool: ToolEntry }) {
  const command = commandOf(tool);
  const workdir = useWorkdir();
  const folder = command === undefined ? tool.folder : (commandFolderOf(tool.rawInput) ?? tool.folder);
  return (
    <>
      {folder !== undefined && folder !== workdir && (
        <div class="command-folder">
          {strings.commandFolder} <code>{relativePath(workdir, folder)}</code>
        </div>
      )}
      {command !== undefined && (
        <pre class="box command" tabIndex={0} role="group" aria-label={strings.commandLabel} dir="ltr">
          {command}
        </pre>
      )}
      {tool.content.map((content, index) => (
        <Content key={index} tool={tool} index={index} content={content} />
      ))}
      <Locations tool={tool} />
    </>
  );
}

interface ContentProps {
  readonly tool: ToolEntry;
  readonly index: number;
  readonly content: ToolContent;
}

function Content({ tool, index, content }: ContentProps) {
  switch (content.kind) {
    case 'diff':
      return (
        <DiffView toolId={tool.id} index={index} content={content} hasCounts={diffsOf(tool).length > 1} />
      );
    case 'terminal':
      return <TerminalView terminalId={content.terminalId} isBusy={isBusy(tool)} />;
    case 'block':
      // What has a frame of its own needs no other.
      return content.block.kind !== 'text' ? (
        <ContentBlocks blocks={[content.block]} text="markdown" />
      ) : (
        <div class="box">
          <div class="box-scroll box-padded" tabIndex={0} role="group" aria-label={strings.toolOutput}>
            <ContentBlocks blocks={[content.block]} text="markdown" />
          </div>
        </div>
      );
    default:
      return assertNever(content);
  }
}

function Locations({ tool }: { readonly tool: ToolEntry }) {
  const shown = tool.content.flatMap((content) => (content.kind === 'diff' ? [content.path] : []));
  const others = tool.locations.filter((location) => !shown.includes(location.path));
  if (others.length === 0) {
    return null;
  }
  return (
    <div class="locations">
      {others.map((location) => (
        <LocationLink key={`${location.path}:${location.line ?? ''}`} location={location} />
      ))}
    </div>
  );
}

function LocationLink({ location }: { readonly location: Location }) {
  const shown = relativePath(useWorkdir(), location.path);
  const line = location.line === undefined ? undefined : String(location.line);
  return (
    <a role="link" tabIndex={0} class="path" data-path={location.path} data-line={line} title={location.path}>
      <bdi>{line === undefined ? shown : `${shown}:${line}`}</bdi>
    </a>
  );
}

import { assertNever } from '../../shared/assertNever';
import { strings } from '../../shared/strings';
import type { Location, ToolContent, ToolEntry } from '../../shared/transcript/model';
import { ContentBlocks } from '../contentBlocks';
import { DiffView } from './diffView';
import { TerminalView } from './terminalView';
import { commandOf, diffsOf, isBusy, shownPath } from './toolSummary';

/** Everything about a tool call that does not fit on its line. */
export function ToolBody({ tool }: { readonly tool: ToolEntry }) {
  const command = commandOf(tool);
  return (
    <>
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
        <DiffView
          toolId={tool.id}
          shown={shownPath(tool, content.path)}
          index={index}
          content={content}
          hasCounts={diffsOf(tool).length > 1}
        />
      );
    case 'terminal':
      return <TerminalView terminalId={content.terminalId} isBusy={isBusy(tool)} />;
    case 'block':
      return (
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
        <LocationLink
          key={`${location.path}:${location.line ?? ''}`}
          location={location}
          shown={shownPath(tool, location.path)}
        />
      ))}
    </div>
  );
}

function LocationLink({ location, shown }: { readonly location: Location; readonly shown: string }) {
  const line = location.line === undefined ? undefined : String(location.line);
  return (
    <a role="link" tabIndex={0} class="path" data-path={location.path} data-line={line} title={location.path}>
      <bdi>{line === undefined ? shown : `${shown}:${line}`}</bdi>
    </a>
  );
}

import { useLayoutEffect, useRef } from 'preact/hooks';
import { strings } from '../../shared/strings';
import type { TerminalExit } from '../../shared/transcript/model';
import { useTerminal } from '../chatContext';
import { isAtEnd } from '../scrollIntent';
import { TerminalRenderer } from './terminalRenderer';

export function TerminalView({ terminalId }: { readonly terminalId: string }) {
  const terminal = useTerminal(terminalId);
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useRef<HTMLDivElement>(null);
  const renderer = useRef<TerminalRenderer>(undefined);
  const output = terminal?.output ?? '';
  useLayoutEffect(() => {
    const element = scroller.current;
    if (lines.current === null || element === null) {
      return;
    }
    const wasAtEnd = isAtEnd({
      top: element.scrollTop,
      height: element.scrollHeight,
      viewport: element.clientHeight,
    });
    renderer.current ??= new TerminalRenderer(lines.current);
    renderer.current.update(output);
    if (wasAtEnd) {
      element.scrollTop = element.scrollHeight;
    }
  }, [output]);
  return (
    <div class="box terminal" data-terminal={terminalId}>
      {terminal?.isTruncated === true && <div class="box-note">{strings.outputCut}</div>}
      <div class="box-scroll" ref={scroller} tabIndex={0} role="group" aria-label={strings.terminalLabel}>
        <div class="terminal-lines" ref={lines} dir="ltr" />
        {output === '' && <div class="box-note">{strings.noOutput(terminal?.exit === undefined)}</div>}
      </div>
      {terminal?.exit !== undefined && <ExitLine exit={terminal.exit} />}
    </div>
  );
}

function ExitLine({ exit }: { readonly exit: TerminalExit }) {
  const hasFailed = exit.code !== 0;
  return (
    <div class={`box-note exit${hasFailed ? ' failed' : ''}`}>{strings.exit(exit.code, exit.signal)}</div>
  );
}

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { strings } from '../strings';
import type { TerminalExit } from '../../shared/transcript/model';
import { currentSessionId, useChat, useTerminal } from '../chatContext';
import { IconButton } from '../controls/button';
import { isAtEnd } from '../scrollIntent';
import { TerminalRenderer } from './terminalRenderer';

interface TerminalViewProps {
  readonly terminalId: string;
  /** Its call goes on. A stored command whose end nobody saw does not. */
  readonly isBusy: boolean;
}

export function TerminalView({ terminalId, isBusy }: TerminalViewProps) {
  const terminal = useTerminal(terminalId);
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useRef<HTMLDivElement>(null);
  const renderer = useRef<TerminalRenderer>(undefined);
  const [isCut, setIsCut] = useState(false);
  const output = terminal?.output ?? '';
  const isRunning = isBusy && terminal?.exit === undefined;
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
    setIsCut(renderer.current.isCut);
    if (wasAtEnd) {
      element.scrollTop = element.scrollHeight;
    }
  }, [output]);
  return (
    <div class="box terminal" data-terminal={terminalId}>
      {(terminal?.isTruncated === true || isCut) && <div class="box-note">{strings.outputCut}</div>}
      <div class="box-scroll" ref={scroller} tabIndex={0} role="group" aria-label={strings.terminalLabel}>
        <div class="terminal-lines" ref={lines} dir="ltr" />
        {output === '' && <div class="box-note">{strings.noOutput(isRunning)}</div>}
      </div>
      {(isRunning || terminal !== undefined) && (
        <TerminalFoot
          id={terminalId}
          exit={terminal?.exit}
          isRunning={isRunning}
          canKill={terminal?.isOurs === true}
        />
      )}
    </div>
  );
}

interface TerminalFootProps {
  readonly id: string;
  readonly exit: TerminalExit | undefined;
  readonly isRunning: boolean;
  readonly canKill: boolean;
}

/** There from the start, so that nothing moves when the command ends. */
function TerminalFoot({ id, exit, isRunning, canKill }: TerminalFootProps) {
  const chat = useChat();
  const post = (type: 'killTerminal' | 'openTerminal') => {
    chat.post({ type, sessionId: currentSessionId(chat), terminalId: id });
  };
  const hasFailed = exit !== undefined && exit.code !== 0;
  return (
    <div class={`box-foot${hasFailed ? ' failed' : ''}`}>
      <span class="box-foot-text">
        {isRunning && strings.commandRuns}
        {exit !== undefined && strings.exit(exit.code, exit.signal)}
      </span>
      {isRunning && canKill && (
        <IconButton icon="debug-stop" label={strings.stopCommand} onClick={() => post('killTerminal')} />
      )}
      <IconButton icon="terminal" label={strings.openTerminal} onClick={() => post('openTerminal')} />
    </div>
  );
}

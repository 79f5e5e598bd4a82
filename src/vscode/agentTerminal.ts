import * as vscode from 'vscode';
import type { Session } from '../core/session/session';
import { LineInput } from '../core/terminals/lineInput';

/**
 * What tells the terminal to do something rather than to show it: set the clipboard, make links, report commands.
 * One whose end has not come loses its start, and is text.
 */
const COMMAND_SEQUENCE =
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])(?:[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c))?/g;

const shown = new Map<string, vscode.Terminal>();

/**
 * What a command of the agent has written so far, and what it still writes, in a terminal of the editor. Closing it
 * does not end the command; Ctrl+C does. It stays when the agent is done with the command.
 */
export function openTerminal(session: Session, terminalId: string): vscode.Terminal {
  const key = `${session.id}\0${terminalId}`;
  const existing = shown.get(key);
  if (existing !== undefined) {
    existing.show();
    return existing;
  }
  const pty = agentPty(session, terminalId, () => shown.delete(key));
  const terminal = vscode.window.createTerminal({ name: session.record.agentName, pty });
  shown.set(key, terminal);
  terminal.show();
  return terminal;
}

export function agentPty(
  session: Pick<Session, 'transcript' | 'onDidDispatch' | 'writeTerminal' | 'killTerminal'>,
  terminalId: string,
  onClosed: () => void,
): vscode.Pseudoterminal {
  const write = new vscode.EventEmitter<string>();
  const input = new LineInput();
  let held = '';
  let isOpen = false;
  let isDeafnessTold = false;
  const show = (data: string): void => {
    const text = held + data;
    // A sequence may come in two parts.
    held = text.endsWith('\x1b') ? '\x1b' : '';
    const whole = text.slice(0, text.length - held.length);
    write.fire(whole.replaceAll(COMMAND_SEQUENCE, '').replaceAll(/\r?\n/g, '\r\n'));
  };
  const showExit = (): void => {
    const exit = session.transcript.terminals[terminalId]?.exit;
    if (exit !== undefined) {
      const status = exit.signal ?? String(exit.code ?? '');
      write.fire(dimmed(vscode.l10n.t('The command has ended: {0}', status)));
    }
  };
  const listener = session.onDidDispatch((event) => {
    if (!isOpen || !('terminalId' in event) || event.terminalId !== terminalId) {
      return;
    }
    if (event.type === 'terminalOutput') {
      show(event.data);
    } else {
      showExit();
    }
  });
  return {
    onDidWrite: write.event,
    open: () => {
      isOpen = true;
      show(session.transcript.terminals[terminalId]?.output ?? '');
      showExit();
    },
    close: () => {
      listener.dispose();
      write.dispose();
      onClosed();
    },
    handleInput: (data) => {
      const { echo, send, isEnd, isInterrupt } = input.type(data);
      if (isInterrupt) {
        killIfRunning(session, terminalId);
        return;
      }
      const isTaken = session.writeTerminal(terminalId, send);
      if (isTaken) {
        write.fire(echo);
      } else if (!isDeafnessTold && session.transcript.terminals[terminalId]?.exit === undefined) {
        isDeafnessTold = true;
        write.fire(
          dimmed(
            vscode.l10n.t(
              'This command reads no input. The setting {0} gives it to those that start from then on. Ctrl+C ends it.',
              'parley.terminals.input',
            ),
          ),
        );
      }
      if (isTaken && isEnd) {
        session.writeTerminal(terminalId, undefined);
      }
    },
  };
}

/** A line of our own, not of the command. */
function dimmed(text: string): string {
  return `\r\n\x1b[2m${text}\x1b[0m\r\n`;
}

/** Released, or of the agent's own making: then there is nothing of ours to end. */
function killIfRunning(session: Pick<Session, 'killTerminal'>, terminalId: string): void {
  try {
    session.killTerminal(terminalId);
  } catch {
    // It is gone already.
  }
}

import assert from 'node:assert/strict';
import { Emitter } from '../../src/core/base/emitter';
import { emptyTranscript, type Terminal } from '../../src/shared/transcript/model';
import type { TranscriptEvent } from '../../src/shared/transcript/events';
import { agentPty } from '../../src/vscode/agentTerminal';

describe('the terminal of a command', () => {
  const open = (
    takesInput: boolean,
    terminal: Partial<Terminal> = {},
  ): { shown: string[]; type: (text: string) => void } => {
    const shown: string[] = [];
    const pty = agentPty(
      {
        transcript: {
          ...emptyTranscript,
          terminals: {
            t: { id: 't', isOurs: true, output: '', isTruncated: false, exit: undefined, ...terminal },
          },
        },
        onDidDispatch: new Emitter<TranscriptEvent>().event,
        writeTerminal: () => takesInput,
        killTerminal: () => undefined,
      },
      't',
      () => undefined,
    );
    pty.onDidWrite((text) => shown.push(text));
    pty.open(undefined);
    shown.length = 0;
    return { shown, type: (text) => pty.handleInput?.(text) };
  };

  it('says once why nothing happens when the command reads no input', () => {
    const { shown, type } = open(false);
    type('y');
    type('\r');
    assert.equal(shown.length, 1);
    assert.match(shown[0] ?? '', /reads no input.*parley\.terminals\.input/);
  });

  it('says nothing of it when the command reads, or has ended', () => {
    const reading = open(true);
    reading.type('y');
    assert.deepEqual(reading.shown, ['y']);
    const ended = open(false, { exit: { code: 0, signal: undefined } });
    ended.type('y');
    assert.deepEqual(ended.shown, []);
  });
});

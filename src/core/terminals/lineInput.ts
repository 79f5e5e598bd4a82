export interface TypedInput {
  /** What to show. */
  readonly echo: string;
  /** Whole lines for the command. */
  readonly send: string;
  readonly isEnd: boolean;
  readonly isInterrupt: boolean;
}

/** Does for a pipe what a terminal's driver does: shows what is typed, lets it be corrected, sends whole lines. */
export class LineInput {
  private line = '';

  type(data: string): TypedInput {
    let [echo, send, isEnd, isInterrupt] = ['', '', false, false];
    // Keys such as the arrows have no meaning here.
    // eslint-disable-next-line no-control-regex -- control characters are what this is about
    for (const key of data.replaceAll(/\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O?.)?/g, '')) {
      if (key === '\r' || key === '\n') {
        send += `${this.line}\n`;
        echo += '\r\n';
        this.line = '';
      } else if (key === '\x7f' || key === '\b') {
        echo += this.line === '' ? '' : '\b \b';
        this.line = Array.from(this.line).slice(0, -1).join('');
      } else if (key === '\x03') {
        isInterrupt = true;
      } else if (key === '\x04') {
        send += this.line;
        isEnd = this.line === '';
        this.line = '';
      } else if (key >= ' ' || key === '\t') {
        this.line += key;
        echo += key;
      }
    }
    return { echo, send, isEnd, isInterrupt };
  }
}

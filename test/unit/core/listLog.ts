import type { Logger } from '../../../src/core/base/log';

/** A log that is a list of `level message` lines. */
export function listLog(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const at =
    (level: string) =>
    (message: string | Error): void => {
      lines.push(`${level} ${typeof message === 'string' ? message : message.message}`);
    };
  return {
    log: { trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    lines,
  };
}

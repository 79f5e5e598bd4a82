/** VS Code's `LogOutputChannel` fits this; so does a list in a test. */
export interface Logger {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string | Error): void;
}

/** Puts a topic in front of each line, so that one channel can serve many parts. */
export function withTopic(log: Logger, topic: string): Logger {
  const prefixed = (message: string): string => `[${topic}] ${message}`;
  return {
    trace: (message) => log.trace(prefixed(message)),
    debug: (message) => log.debug(prefixed(message)),
    info: (message) => log.info(prefixed(message)),
    warn: (message) => log.warn(prefixed(message)),
    error: (message) =>
      log.error(prefixed(typeof message === 'string' ? message : (message.stack ?? message.message))),
  };
}

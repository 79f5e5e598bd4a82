/** Manners that a step can switch off for the rest of the process's life. */
export interface Behaviour {
  readonly ignored: Set<'cancel' | 'stdinEnd' | 'SIGTERM'>;
}

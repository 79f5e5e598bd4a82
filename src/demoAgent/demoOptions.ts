/** What the demo agent needs from the process it runs in. */
export interface DemoOptions {
  /** Where conversations are kept, one JSON file each. */
  readonly stateDirectory: string;
  /** Without pacing every scene but `/slow` runs as fast as it can. */
  readonly isPaced: boolean;
  /** Ends the process, for `/crash`. */
  readonly exit: (code: number, lastWords: string) => never;
}

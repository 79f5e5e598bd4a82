/** What Parley serves, and nothing else: agents rely on it. */
export const clientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  elicitation: { form: {}, url: {} },
  session: { configOptions: { boolean: {} }, compaction: {}, notices: {} },
  plan: {},
  _meta: { terminal_output: true },
} as const;

const permissionDecisions = { allowed: 'Allowed', rejected: 'Rejected', answered: 'Answered' } as const;

/** Words of the webview, in one place so that they can be localised together. */
export const strings = {
  composerLabel: 'Message',
  send: 'Send',
  sendTooltip: 'Send (Enter)',
  queue: 'Queue (Enter)',
  stop: 'Stop',
  stopTooltip: (key: string) => `Stop (Escape, or ${key} anywhere in the chat)`,
  stopping: 'Stopping…',
  placeholder: (agent: string | undefined, hasCommands: boolean) =>
    `Ask ${agent ?? 'the agent'}${hasCommands ? ', / for commands' : ''}`,
  commands: 'Commands',
  agent: 'Agent',
  moreOptions: 'More options',
  search: 'Search',
  searchIn: (list: string) => `Search ${list}`,
  nothingFound: 'Nothing found',
  usage: (
    used: number,
    size: number,
    cost: { readonly amount: number; readonly currency: string } | undefined,
  ) => {
    const share = size > 0 ? ` (${Math.round((used / size) * 100)} %)` : '';
    const amount = cost?.amount.toFixed(2);
    const money = amount === undefined || amount === '0.00' ? '' : ` · ${amount} ${cost?.currency}`;
    return `Context: ${compact(used)} of ${compact(size)} tokens${share}${money}`;
  },

  transcript: 'Conversation',
  working: 'Working',
  loading: 'Loading the session…',
  newMessages: 'New messages',
  newSession: 'New session',
  sessionTitle: 'Session title',
  renameHint: (title: string, agent: string, previous: string, next: string) =>
    `${title}\n${agent} · double-click or F2 to rename\nOther sessions: ${previous}, ${next}`,
  waitingForYou: 'Waiting for you',
  goToQuestion: (key: string) => `Go to the question (${key})`,
  reconnect: 'Reconnect',
  sessionStatus: { disconnected: 'Disconnected', error: 'Ended by an error', closed: 'Closed' },

  find: 'Find',
  findOpen: 'Find in conversation',
  findTooltip: (isMac: boolean) =>
    `Find in conversation (${isMac ? '⌘F' : 'Ctrl+F'})\nFrom prompt to prompt: ${isMac ? '⌥↑ ⌥↓' : 'Alt+Up, Alt+Down'}`,
  findCount: (current: number, all: number) => (all === 0 ? 'No results' : `${current} of ${all}`),
  findPrevious: 'Previous match',
  findPreviousTooltip: 'Previous match (Shift+Enter)',
  findNext: 'Next match',
  findNextTooltip: 'Next match (Enter)',
  findClose: 'Close',
  findCloseTooltip: 'Close (Escape)',

  copyCode: 'Copy code',
  insertCode: 'Insert at cursor',
  codeToFile: 'New file',
  wrapLines: 'Wrap lines',
  copyPrompt: 'Copy prompt',
  copyAnswer: 'Copy answer',
  copied: 'Copied',
  editAgain: 'Edit again',
  turnFacts: (ms: number, files: number, tokens: number) =>
    [
      ...(ms < 1000 ? [] : [duration(ms)]),
      ...(files === 0 ? [] : [`${counted(files, 'file')} changed`]),
      ...(tokens === 0 ? [] : [`${compact(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`]),
    ].join(' · '),
  codeLabel: (language: string) => (language === '' ? 'Code' : `Code in ${language}`),
  tableLabel: 'Table',
  openFile: (path: string) => `Open ${path}`,
  done: 'Done',
  notDone: 'Not done',
  image: 'Image',
  audio: 'Audio',
  resource: (name: string, type: string, bytes: number | undefined) =>
    [name, type, bytes === undefined ? '' : size(bytes)].filter((part) => part !== '').join(' · '),
  unknownContent: (type: string) => `Content of an unknown kind (${type})`,

  thinking: 'Thinking…',
  thoughtFor: (ms: number) => (ms < 1000 ? 'Thought' : `Thought for ${duration(ms)}`),
  plan: 'Plan',
  planProgress: (done: number, all: number) => `Plan · ${done} of ${all} done`,
  planPriority: { high: 'High priority', low: 'Low priority' },
  planStatus: { pending: 'To do', running: 'In progress', completed: 'Done' },
  showDetails: 'Show details',
  hideDetails: 'Hide details',
  details: 'Details',
  compaction: {
    running: 'Summarising the conversation…',
    completed: 'Conversation summarised to make room',
    failed: 'The conversation could not be summarised.',
    cancelled: 'Summarising was cancelled',
  },

  toolStatus: {
    pending: 'Not started',
    running: 'Running',
    completed: 'Done',
    failed: 'Failed',
    rejected: 'Rejected',
    cancelled: 'Cancelled',
  },
  toolVerb: (kind: ToolWord) => toolVerbs[kind],
  toolGroup: (reads: number, searches: number) =>
    [
      ...(reads > 0 ? [`Read ${counted(reads, 'file')}`] : []),
      ...(searches > 0 ? [`${reads > 0 ? 'searched' : 'Searched'} ${times(searches)}`] : []),
    ].join(', '),
  nestedCalls: 'Calls of the sub-agent',
  toggleToolCalls: (key: string) => `Open or close all tool calls (${key})`,
  toolOutput: 'Output',
  commandLabel: 'Command',
  commandFolder: 'In',
  terminalLabel: 'Terminal output',
  outputCut: 'The beginning of the output is not shown.',
  noOutput: (isRunning: boolean) => (isRunning ? 'No output yet' : 'No output'),
  exit: (code: number | undefined, signal: string | undefined) => {
    if (signal !== undefined) {
      return `Ended by ${signal}`;
    }
    return code === undefined ? 'Ended' : `Exit code ${code}`;
  },
  commandRuns: 'Running',
  stopCommand: 'Kill command',
  openTerminal: 'Open in terminal',
  rawData: 'Input and output',
  rawInput: 'Input',
  rawOutput: 'Output',
  openDiff: 'Open in the diff editor',
  diffLabel: (path: string) => `Changes in ${path}`,
  diffCut: 'There is more. Open the diff editor to see all of it.',
  noChanges: 'No changes',

  permission: 'Permission',
  askRun: 'Run this command?',
  askChange: (paths: readonly string[]) =>
    paths.length === 1 ? `Change ${paths[0] ?? ''}?` : `Change ${paths.length} files?`,
  askTool: (kind: ToolWord, title: string) => (title === '' ? `${toolVerbs[kind]}?` : `Allow “${title}”?`),
  keyHint: (name: string, key: number, command?: string) =>
    `${name} (${command === undefined ? key : `${key}, or ${command} anywhere`})`,
  askPlan: 'Carry out this plan?',
  permissionDecision: permissionDecisions,
  answeredWith: (decision: keyof typeof permissionDecisions, option: string) =>
    `${permissionDecisions[decision]}: “${option}”`,
  answeredByRule: (decision: keyof typeof permissionDecisions, rule: string) =>
    `${permissionDecisions[decision]} by rule: ${rule}`,
  alwaysAllow: 'Allow by rule…',
  alwaysAllowTooltip: 'Allow this and make a rule for this workspace',
  ruleCommand: 'This command in this workspace',
  rulePath: 'This file in this workspace',
  ruleKind: (kind: ToolWord) => `All ${kind === 'switch_mode' ? 'mode' : kind} calls in this workspace`,
  questionWithdrawn: 'The question was withdrawn',
  announcePermission: (verb: string, object: string) => `Permission needed. ${verb}: ${object}`,
  announceTurnEnd: 'The turn is over.',

  question: 'Question',
  askedBy: (agent: string) => `${agent} asks`,
  punycode: 'This address contains letters that may look like others. Check that you know it.',
  accept: 'Accept',
  decline: 'Decline',
  cancel: 'Cancel',
  openInBrowser: 'Open in browser',
  elicitationOutcome: {
    accepted: 'Answered',
    declined: 'Declined',
    cancelled: 'Cancelled',
    withdrawn: 'No longer asked',
    completed: 'Completed',
  },
  optional: '(optional)',
  choose: 'Choose…',
  required: 'Please fill in this field.',
  notANumber: 'Please enter a number.',
  notWhole: 'Please enter a whole number.',
  atLeast: (minimum: number) => `Must be ${minimum} or more.`,
  atMost: (maximum: number) => `Must be ${maximum} or less.`,
  longerThan: (length: number) => `Must have at least ${counted(length, 'character')}.`,
  shorterThan: (length: number) => `Must have at most ${counted(length, 'character')}.`,
  wrongPattern: (pattern: string) => `Must match ${pattern}`,
  notAnEmail: 'Please enter an e-mail address.',
  notAUrl: 'Please enter a full address, such as https://example.com.',
  notADate: 'Please enter a date.',
  notADateTime: 'Please enter a date and a time.',
  announceProblem: (field: string, problem: string) => `${field}: ${problem}`,
  yesOrNo: (value: boolean) => (value ? 'Yes' : 'No'),
  chooseAtLeast: (count: number) => `Choose at least ${count}.`,
  chooseAtMost: (count: number) => `Choose at most ${count}.`,

  changes: 'Changes by the agent',
  fileCount: (files: number) => counted(files, 'file'),
  lineCounts: (added: number, removed: number) => `${counted(added, 'line')} added, ${removed} removed`,
  keep: 'Keep',
  undo: 'Undo',
  reviewChanges: 'Review',
  reviewChangesTooltip: (previous: string, next: string) =>
    `See all changes of this session\nFrom change to change: ${previous}, ${next}`,
  keepChangesTooltip: 'Keep all changes of this session',
  undoChangesTooltip: 'Undo all changes of this session',
  reviewed: (kind: 'kept' | 'undone', files: number) =>
    kind === 'kept' ? `Kept ${counted(files, 'file')}` : `Undid changes in ${counted(files, 'file')}`,
  undoReview: { kept: 'Review these changes again', undone: 'Bring the changes back' },
  restoreFiles: 'Restore files to before this',

  queued: 'Queued prompts',
  moveUp: 'Move up',
  moveDown: 'Move down',
  editQueued: 'Edit queued prompt',
  steerQueued: 'Add to the running turn',
  sendNow: 'Send now',
  sendNowTooltip: 'Stop the running turn and send this now',
  removeQueued: 'Remove from the queue',

  noFolderTitle: 'Open a folder to start',
  noFolderText: 'Agents read and change the files of a folder.',
  openFolder: 'Open folder',
  untrustedTitle: 'This workspace is not trusted',
  untrustedText: 'Agents can run commands and change files, so they start only in workspaces you trust.',
  trust: 'Manage workspace trust',
  noAgentsTitle: 'Add an agent',
  noAgentsText: 'Parley talks to any agent that speaks the Agent Client Protocol.',
  useAgent: (name: string) => `Use ${name}`,
  agentFound: (program: string) => `Found ${program} on this machine`,
  installAgent: 'Install an agent…',
  installAgentText: 'Choose one; npx fetches it when it is first used',
  tryDemo: 'Try the demo',
  tryDemoText: 'Scripted and built in: needs no account',
  ownAgent: 'Use an agent of your own…',
  /** Known before the demo runs, which it does only once it is asked something. */
  demoCommands: [
    { name: 'tour', description: 'See everything in one turn', hint: undefined },
    { name: 'edit', description: 'Review an edit', hint: undefined },
    { name: 'run', description: 'Run a command in a terminal', hint: undefined },
    { name: 'plan', description: 'Follow a plan step by step', hint: undefined },
  ],
  recentSessions: 'Recent sessions',
  recentDetail: (agent: string, agoMs: number) => `${agent} · ${ago(agoMs)}`,
  readOnly: 'This session can only be read',
  continueInNew: 'Continue in a new session',
} as const;

type ToolWord = keyof typeof toolVerbs;

const toolVerbs = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Search',
  execute: 'Run a command',
  think: 'Think',
  fetch: 'Fetch',
  switch_mode: 'Switch the mode',
  other: 'Use a tool',
} as const;

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function compact(count: number): string {
  return count < 10_000 ? String(count) : `${Math.round(count / 1000)}k`;
}

function size(bytes: number): string {
  return bytes < 1024 ? `${Math.round(bytes)} bytes` : `${Math.round(bytes / 1024)} KB`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) {
    return 'just now';
  }
  if (minutes < 60) {
    return `${minutes} min ago`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${counted(Math.floor(hours / 24), 'day')} ago`;
}

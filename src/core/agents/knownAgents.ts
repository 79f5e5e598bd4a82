/** Agents that can be had from npm, with how they are started. npx fetches them when they are first used. */
export interface KnownAgent {
  readonly id: string;
  readonly name: string;
  readonly package: string;
  readonly args: readonly string[];
}

export const knownAgents: readonly KnownAgent[] = [
  { id: 'claude', name: 'Claude', package: '@agentclientprotocol/claude-agent-acp', args: [] },
  { id: 'codex', name: 'Codex', package: '@agentclientprotocol/codex-acp', args: [] },
  { id: 'gemini', name: 'Gemini', package: '@google/gemini-cli', args: ['--acp'] },
  { id: 'copilot', name: 'Copilot', package: '@github/copilot', args: ['--acp'] },
  { id: 'opencode', name: 'OpenCode', package: 'opencode-ai', args: ['acp'] },
  { id: 'qwen', name: 'Qwen Code', package: '@qwen-code/qwen-code', args: ['--acp'] },
  { id: 'qoder', name: 'Qoder', package: '@qoder-ai/qodercli', args: ['--acp'] },
  { id: 'cline', name: 'Cline', package: 'cline', args: ['--acp'] },
  { id: 'kilo', name: 'Kilo', package: '@kilocode/cli', args: ['acp'] },
  { id: 'auggie', name: 'Auggie', package: '@augmentcode/auggie', args: ['--acp'] },
];

/** The entry of `parley.agents` that starts it. */
export function entryFor(agent: KnownAgent): { name: string; command: string; args: string[] } {
  return { name: agent.name, command: 'npx', args: ['--yes', agent.package, ...agent.args] };
}

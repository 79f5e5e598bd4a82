/** Agents that can be had from npm, with how they are started. npx fetches them when they are first used. */
export interface KnownAgent {
  readonly id: string;
  readonly name: string;
  readonly package: string;
  /** What the package installs. */
  readonly program: string;
  readonly args: readonly string[];
  /** A program of the same maker that does not speak ACP itself: who has it wants this agent. */
  readonly companion?: string;
}

export const knownAgents: readonly KnownAgent[] = [
  {
    id: 'claude',
    name: 'Claude',
    package: '@agentclientprotocol/claude-agent-acp',
    program: 'claude-agent-acp',
    args: [],
    companion: 'claude',
  },
  {
    id: 'codex',
    name: 'Codex',
    package: '@agentclientprotocol/codex-acp',
    program: 'codex-acp',
    args: [],
    companion: 'codex',
  },
  { id: 'gemini', name: 'Gemini', package: '@google/gemini-cli', program: 'gemini', args: ['--acp'] },
  { id: 'copilot', name: 'Copilot', package: '@github/copilot', program: 'copilot', args: ['--acp'] },
  { id: 'opencode', name: 'OpenCode', package: 'opencode-ai', program: 'opencode', args: ['acp'] },
  { id: 'qwen', name: 'Qwen Code', package: '@qwen-code/qwen-code', program: 'qwen', args: ['--acp'] },
  { id: 'qoder', name: 'Qoder', package: '@qoder-ai/qodercli', program: 'qodercli', args: ['--acp'] },
  { id: 'cline', name: 'Cline', package: 'cline', program: 'cline', args: ['--acp'] },
  { id: 'kilo', name: 'Kilo', package: '@kilocode/cli', program: 'kilo', args: ['acp'] },
  { id: 'auggie', name: 'Auggie', package: '@augmentcode/auggie', program: 'auggie', args: ['--acp'] },
];

/** An entry of `parley.agents`. */
export interface AgentEntry {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** Starts it wherever there is npm. */
export function entryFor(agent: KnownAgent): AgentEntry {
  return { name: agent.name, command: 'npx', args: ['--yes', agent.package, ...agent.args] };
}

export interface InstalledAgent {
  readonly id: string;
  /** The program that was found. */
  readonly program: string;
  readonly entry: AgentEntry;
}

/** The known agents that are on this machine, in their order. */
export async function findInstalledAgents(
  has: (program: string) => Promise<boolean>,
): Promise<readonly InstalledAgent[]> {
  const found = await Promise.all(
    knownAgents.map(async (agent): Promise<InstalledAgent[]> => {
      const { id, name, program, args, companion } = agent;
      if (await has(program)) {
        return [{ id, program, entry: { name, command: program, args } }];
      }
      return companion !== undefined && (await has(companion))
        ? [{ id, program: companion, entry: entryFor(agent) }]
        : [];
    }),
  );
  return found.flat();
}

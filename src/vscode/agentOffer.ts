import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Environment } from '../core/process/expandVariables';
import { findInstalledAgents, type InstalledAgent } from '../core/agents/knownAgents';
import { asError } from '../core/base/errors';
import { DisposableStore } from '../core/base/lifecycle';
import type { Logger } from '../core/base/log';
import type { Memento } from '../core/ports';
import type { AgentSummary } from '../shared/protocol';
import type { Config } from './config';

const KEY = 'parley.choseDemo';

/** What somebody who has set up no agent is offered: those that are installed. Looked for once, when it is asked. */
export class AgentOffer extends DisposableStore {
  private installed: readonly InstalledAgent[] = [];
  private search: Promise<void> | undefined;
  private readonly changed = this.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly config: Config,
    private readonly state: Memento,
    private readonly environment: () => Promise<Environment>,
    private readonly log: Logger,
  ) {
    super();
    this.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (
          event.affectsConfiguration('parley.agents') ||
          event.affectsConfiguration('parley.defaultAgent')
        ) {
          this.changed.fire();
        }
      }),
    );
  }

  /** Undefined when there is nothing to be offered: there are agents, or the demo is what the user wants. */
  agents(): readonly AgentSummary[] | undefined {
    if (this.config.hasChosenAgent() || this.state.get(KEY) === true) {
      return undefined;
    }
    this.search ??= this.look().catch((error: unknown) => this.log.error(asError(error)));
    return this.installed.map(({ id, program, entry }) => ({ id, name: entry.name, description: program }));
  }

  /** Into the settings. */
  async accept(id: string): Promise<void> {
    const agent = this.installed.find((one) => one.id === id);
    if (agent !== undefined) {
      await this.config.addAgent(id, agent.entry);
    }
  }

  /** The demo was chosen: it is not asked again. */
  async decline(): Promise<void> {
    if (this.agents() !== undefined) {
      await this.state.update(KEY, true);
      this.changed.fire();
    }
  }

  private async look(): Promise<void> {
    const { hasProgram } = await import('../core/agent/agentRuntime');
    const environment = await this.environment();
    this.installed = await findInstalledAgents((program) => hasProgram(program, environment, homedir()));
    this.log.info(`Installed agents: ${this.installed.map(({ program }) => program).join(', ')}`);
    this.changed.fire();
  }
}

import * as path from 'node:path';
import * as vscode from 'vscode';
import type { AgentDefinition } from '../core/agents/agentPool';
import type { AgentEntry } from '../core/agents/knownAgents';
import type { OutsidePolicy } from '../core/files/pathGuard';
import { groupings, type Grouping } from '../core/session/sessionGroups';
import { asArray, asObject, asOneOf, asString, isObject } from '../shared/json';

export const DEMO_AGENT = 'demo';

/** The settings, read when they are needed: nothing of them is kept. */
export class Config {
  constructor(private readonly context: vscode.ExtensionContext) {}

  /** The user's agents in their order, then the built-in one. */
  agents(): readonly AgentDefinition[] {
    const configured = Object.entries(asObject(settings().get('agents')))
      .filter(([id]) => id !== DEMO_AGENT)
      .map(([id, entry]) => ({
        id,
        name: (isObject(entry) ? asString(entry.name) : undefined) ?? id,
        description: isObject(entry) ? asString(entry.command) : undefined,
        entry,
        isBuiltIn: false,
      }));
    return [...configured, this.demoAgent()];
  }

  findAgent(id: string): AgentDefinition | undefined {
    return this.agents().find((agent) => agent.id === id);
  }

  /** The chosen one, else the user's first, else the demo. */
  defaultAgentId(): string {
    const chosen = settings().get<string>('defaultAgent') ?? '';
    const agents = this.agents();
    return agents.some((agent) => agent.id === chosen) ? chosen : (agents[0]?.id ?? DEMO_AGENT);
  }

  /** The user has an agent, or has said that the demo is meant. */
  hasChosenAgent(): boolean {
    return this.agents().length > 1 || settings().get<string>('defaultAgent') === DEMO_AGENT;
  }

  /** Into the user's own settings. */
  async addAgent(id: string, entry: AgentEntry): Promise<void> {
    const own = asObject(settings().inspect('agents')?.globalValue);
    await settings().update('agents', { ...own, [id]: entry }, vscode.ConfigurationTarget.Global);
  }

  maxAgentProcesses(): number {
    return settings().get<number>('maxAgentProcesses') ?? 5;
  }

  idleTimeoutMs(): number {
    return (settings().get<number>('idleTimeoutMinutes') ?? 30) * 60_000;
  }

  transcriptLimits(): { readonly maxAgeDays: number; readonly maxTotalBytes: number } {
    return {
      maxAgeDays: settings().get<number>('transcripts.maxAgeDays') ?? 90,
      maxTotalBytes: (settings().get<number>('transcripts.maxTotalMB') ?? 500) * 1024 * 1024,
    };
  }

  permissionRules(): unknown {
    return settings().get('permissions.rules');
  }

  outsideWorkspace(): OutsidePolicy {
    return asOneOf(settings().get('files.outsideWorkspace'), ['ask', 'deny', 'allow']) ?? 'ask';
  }

  /** A workspace can protect more than the user's settings do, never less. */
  protectedGlobs(): readonly string[] {
    const found = settings().inspect<unknown>('files.protected');
    const lists = [
      found?.globalValue ?? found?.defaultValue,
      found?.workspaceValue,
      found?.workspaceFolderValue,
    ];
    return lists.flatMap(asArray).filter((glob) => typeof glob === 'string');
  }

  commandsTakeInput(): boolean {
    return settings().get<boolean>('terminals.input') ?? false;
  }

  tellsTurnEnd(): boolean {
    return settings().get<boolean>('notifications.turnEnd') ?? true;
  }

  sessionGrouping(): Grouping {
    return asOneOf(settings().get('sessions.groupBy'), groupings) ?? 'date';
  }

  async setSessionGrouping(grouping: Grouping): Promise<void> {
    await settings().update('sessions.groupBy', grouping, vscode.ConfigurationTarget.Global);
  }

  showsChangeLenses(): boolean {
    return settings().get<boolean>('changes.codeLens') ?? true;
  }

  followsAgent(): boolean {
    return settings().get<boolean>('followAgent') ?? false;
  }

  private demoAgent(): AgentDefinition {
    return {
      id: DEMO_AGENT,
      name: 'Parley demo',
      description: vscode.l10n.t('Built in and scripted: shows what Parley does, needs no account'),
      isBuiltIn: true,
      entry: {
        name: 'Parley demo',
        command: process.execPath,
        args: [this.context.asAbsolutePath(path.join('dist', 'demoAgent.js'))],
        env: {
          // The desktop's executable is Electron; this makes it Node. Plain Node ignores it.
          ELECTRON_RUN_AS_NODE: '1',
          PARLEY_DEMO_STATE: path.join(this.context.globalStorageUri.fsPath, 'demo'),
        },
      },
    };
  }
}

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('parley');
}

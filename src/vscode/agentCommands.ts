import * as vscode from 'vscode';
import type { AgentPool } from '../core/agents/agentPool';
import { entryFor, knownAgents } from '../core/agents/knownAgents';
import type { Sessions } from '../core/session/sessions';
import type { Config } from './config';

/** Offers agents from npm and writes the chosen one into the settings. */
export async function installAgent(config: Config): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    knownAgents.map((agent) => ({
      label: agent.name,
      description: agent.package,
      detail: config.findAgent(agent.id) !== undefined ? vscode.l10n.t('Already in the settings') : undefined,
      agent,
    })),
    {
      placeHolder: vscode.l10n.t('Agent to add; npx fetches it when it is first used'),
      matchOnDescription: true,
    },
  );
  if (picked === undefined) {
    return;
  }
  const { agent } = picked;
  await config.addAgent(agent.id, entryFor(agent));
  const start = vscode.l10n.t('New Session');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('{0} is set up. Its first start takes a while: npx fetches it.', agent.name),
    start,
  );
  if (chosen === start) {
    await vscode.commands.executeCommand('parley.newSession', { agentId: agent.id });
  }
}

/** Offers the running agents, idle ones first, and ends the chosen one. */
export async function stopAgent(pool: AgentPool, sessions: Sessions): Promise<void> {
  const running = pool.running
    .map((key) => ({ key, isBusy: sessions.isAgentBusy(key) }))
    .sort((a, b) => Number(a.isBusy) - Number(b.isBusy));
  if (running.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No agent is running.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(
    running.map(({ key, isBusy }) => ({
      label: pool.describe(key)?.agentId ?? key,
      description: pool.describe(key)?.folder,
      detail: isBusy ? vscode.l10n.t('At work') : vscode.l10n.t('Idle'),
      key,
    })),
    { placeHolder: vscode.l10n.t('Agent to stop') },
  );
  if (picked !== undefined) {
    await pool.stop(picked.key);
  }
}

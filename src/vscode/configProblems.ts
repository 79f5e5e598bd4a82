import * as vscode from 'vscode';
import type { Config } from './config';

/**
 * Tells what is wrong with `parley.agents` when the user has just changed it. Not on activation: an entry that nobody
 * uses can wait until it is used, and says then what is wrong.
 */
export function watchAgentSetting(config: Config, onProblem: (error: unknown) => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration(async (event) => {
    if (!event.affectsConfiguration('parley.agents')) {
      return;
    }
    const { checkAgentEntry } = await import('../core/agent/agentRuntime');
    for (const agent of config.agents()) {
      try {
        checkAgentEntry(agent.id, agent.entry);
      } catch (error) {
        onProblem(error);
      }
    }
  });
}

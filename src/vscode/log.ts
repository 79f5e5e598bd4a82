import * as vscode from 'vscode';
import type { Logger } from '../core/base/log';
import { DisposableStore } from '../core/base/lifecycle';
import type { JsonObject } from '../shared/json';
import { redacted } from '../core/base/redact';

/** Parley's own log, one per agent for its stderr, and the protocol's traffic; each made when first written to. */
export class Logs extends DisposableStore {
  readonly main = this.add(vscode.window.createOutputChannel('Parley', { log: true }));
  private readonly agents = new Map<string, vscode.LogOutputChannel>();
  private traffic: vscode.LogOutputChannel | undefined;

  agent(name: string): Logger {
    let channel = this.agents.get(name);
    if (channel === undefined) {
      channel = this.add(vscode.window.createOutputChannel(`Parley: ${name}`, { log: true }));
      this.agents.set(name, channel);
    }
    return channel;
  }

  /** Only at the trace level: a long answer is thousands of messages. */
  recordTraffic(agentName: string, direction: 'sent' | 'received', message: JsonObject): void {
    const channel = this.trafficChannel();
    if (channel.logLevel === vscode.LogLevel.Trace) {
      const arrow = direction === 'sent' ? '→' : '←';
      channel.trace(`${agentName} ${arrow} ${JSON.stringify(redacted(message))}`);
    }
  }

  showMain(): void {
    this.main.show(true);
  }

  showAgent(name: string): void {
    (this.agents.get(name) ?? this.main).show(true);
  }

  showTraffic(): void {
    this.trafficChannel().show(true);
  }

  private trafficChannel(): vscode.LogOutputChannel {
    this.traffic ??= this.add(vscode.window.createOutputChannel('Parley: Traffic', { log: true }));
    return this.traffic;
  }
}

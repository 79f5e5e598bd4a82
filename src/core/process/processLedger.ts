import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { becomesTrue, isGroupAlive, isProcessAlive, killWindowsTree, signalGroup } from './processGroup';
import { asError } from '../base/errors';
import type { Logger } from '../base/log';
import { formatLedger, parseLedger, type LedgerEntry } from './ledgerFile';
import { processStartTime, processStartTimeSync } from './processStartTime';

const GRACE_MS = 2000;
const PREFIX = 'agents-';

/** Remembers what runs, so that it can be swept when this host is killed. */
export interface ProcessRecords {
  add(pid: number, command: string): void;
  remove(pid: number): void;
}

/**
 * Remembers the agent processes of this extension host on disk, so that the next one can end what a killed
 * host left behind. Several windows share the directory: each host has its own file, which is written at once
 * when a process is added or removed.
 */
export class ProcessLedger {
  private readonly processes = new Map<number, LedgerEntry>();
  private hostStartTime = processStartTimeSync(process.pid);

  constructor(
    private readonly directory: string,
    private readonly log: Logger,
    private readonly graceMs = GRACE_MS,
  ) {}

  /** Call right after the process was spawned. Resolves when it is on disk: on POSIX it is on return. */
  add(pid: number, command: string): Promise<void> {
    const startTime = processStartTimeSync(pid);
    if (startTime !== undefined) {
      this.remember({ pid, startTime, command });
      return Promise.resolve();
    }
    return this.addLater(pid, command);
  }

  /** Call when it has ended. */
  remove(pid: number): void {
    if (this.processes.delete(pid)) {
      this.write();
    }
  }

  /**
   * Ends the processes of hosts that are gone. A process is only ever signalled when its start time is the
   * recorded one. Never rejects; returns how many were ended.
   */
  async sweep(): Promise<number> {
    try {
      const names = await readdir(this.directory);
      const counts = await Promise.all(names.filter(isLedger).map((name) => this.sweepFile(name)));
      return counts.reduce((sum, count) => sum + count, 0);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
        this.log.warn(`Could not look for agents of earlier windows: ${asError(error).message}`);
      }
      return 0;
    }
  }

  private async sweepFile(name: string): Promise<number> {
    const path = join(this.directory, name);
    try {
      const ledger = parseLedger(await readFile(path, 'utf8'));
      if (ledger !== undefined && (await mayBeAlive(ledger.host.pid, ledger.host.startTime))) {
        return 0;
      }
      if (ledger === undefined) {
        this.log.warn(`Removed ${name}, which does not say which processes it is about.`);
      }
      const ended = await Promise.all((ledger?.processes ?? []).map((entry) => this.end(entry)));
      await rm(path, { force: true });
      return ended.filter(Boolean).length;
    } catch (error) {
      this.log.warn(`Could not look through ${name}: ${asError(error).message}`);
      return 0;
    }
  }

  private async end(entry: LedgerEntry): Promise<boolean> {
    const isSame = async (): Promise<boolean> => (await processStartTime(entry.pid)) === entry.startTime;
    if (!(await isSame())) {
      return false;
    }
    this.log.info(`Ending process ${entry.pid} (${entry.command}), left behind by an earlier window.`);
    if (process.platform === 'win32') {
      await killWindowsTree(entry.pid);
      return true;
    }
    // Not a leader means not spawned as we do: then its group is somebody else's.
    if (!signalGroup(entry.pid, 'SIGTERM')) {
      return false;
    }
    if (await becomesTrue(() => !isGroupAlive(entry.pid), this.graceMs)) {
      return true;
    }
    // The id of an ended leader stays taken while its group lives; in use by another, the group is not ours.
    if ((await isSame()) || !isProcessAlive(entry.pid)) {
      signalGroup(entry.pid, 'SIGKILL');
      await becomesTrue(() => !isGroupAlive(entry.pid), this.graceMs);
    }
    return true;
  }

  private async addLater(pid: number, command: string): Promise<void> {
    this.hostStartTime ??= await processStartTime(process.pid);
    const startTime = await processStartTime(pid);
    if (startTime !== undefined) {
      this.remember({ pid, startTime, command });
    }
  }

  private remember(entry: LedgerEntry): void {
    this.processes.set(entry.pid, entry);
    this.write();
  }

  private write(): void {
    if (this.hostStartTime === undefined) {
      return;
    }
    const host = { pid: process.pid, startTime: this.hostStartTime };
    const path = join(this.directory, fileName(host.pid, host.startTime));
    try {
      if (this.processes.size === 0) {
        rmSync(path, { force: true });
        return;
      }
      mkdirSync(this.directory, { recursive: true });
      writeFileSync(`${path}.tmp`, formatLedger({ host, processes: [...this.processes.values()] }));
      renameSync(`${path}.tmp`, path);
    } catch (error) {
      this.log.warn(`${basename(path)} could not be written: ${asError(error).message}`);
    }
  }
}

function isLedger(name: string): boolean {
  return name.startsWith(PREFIX) && name.endsWith('.json');
}

function fileName(pid: number, startTime: string): string {
  return `${PREFIX}${pid}-${createHash('sha256').update(startTime).digest('hex').slice(0, 12)}.json`;
}

/** In doubt, yes: a host that lives looks after its agents itself. */
async function mayBeAlive(pid: number, startTime: string): Promise<boolean> {
  const found = await processStartTime(pid);
  return found === undefined ? process.platform !== 'linux' && isProcessAlive(pid) : found === startTime;
}

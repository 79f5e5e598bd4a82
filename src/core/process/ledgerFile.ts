import { asNumber, asObject, asObjects, asString } from '../../shared/json';

export interface LedgerEntry {
  readonly pid: number;
  readonly startTime: string;
  /** For the log only. */
  readonly command: string;
}

export interface LedgerContent {
  /** The extension host that started the processes. */
  readonly host: { readonly pid: number; readonly startTime: string };
  readonly processes: readonly LedgerEntry[];
}

export function formatLedger(content: LedgerContent): string {
  return JSON.stringify({ version: 1, ...content });
}

/** Undefined when it does not say whose it is. Entries that do not name one process for sure are left out. */
export function parseLedger(text: string): LedgerContent | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const stored = asObject(parsed);
  const host = readProcess(asObject(stored.host));
  if (host === undefined) {
    return undefined;
  }
  const processes = asObjects(stored.processes).flatMap((value) => {
    const found = readProcess(value);
    return found === undefined ? [] : [{ ...found, command: asString(value.command) ?? '' }];
  });
  return { host, processes };
}

function readProcess(value: Readonly<Record<string, unknown>>): LedgerContent['host'] | undefined {
  const pid = asNumber(value.pid);
  const startTime = asString(value.startTime);
  // 0, 1 and negative numbers would signal whole groups, or everything.
  if (
    pid === undefined ||
    !Number.isSafeInteger(pid) ||
    pid <= 1 ||
    startTime === undefined ||
    startTime === ''
  ) {
    return undefined;
  }
  return { pid, startTime };
}

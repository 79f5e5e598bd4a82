import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Session } from '../../src/core/session/session';
import { asObject, asString, type JsonObject } from '../../src/shared/json';
import type { Entry } from '../../src/shared/transcript/model';
import { isWaitingForUser, textOf } from '../../src/shared/transcript/select';
import { ofProcess, readRecording, type RecordedEntry } from '../support/recording';
import { replayToProduct, type ReplayReport } from '../support/replayClient';

const agents = ['claude', 'copilot', 'gemini', 'opencode'];
const names = agents.flatMap((agent) => [agent, `${agent}.full`, `${agent}.none`]);

/** Entries by kind, for each process of each recording: what a user would see of it. Looked at, then written down. */
const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, number>
>;

describe('recordings of real agents, played to the product', () => {
  for (const name of names) {
    const recording = readRecording(name);
    for (const proc of new Set(recording.map((entry) => entry.proc))) {
      it(`${name}, process ${proc}`, async () => {
        const entries = ofProcess(recording, proc);
        const open: string[] = [];
        const report = await replayToProduct(entries, {
          afterTurn: (session, where) => open.push(...openThings(session, where)),
        });
        assert.deepEqual(report.log.warnings, []);
        assert.deepEqual(report.differentOutcomes, []);
        assert.deepEqual(open, []);
        assert.equal(report.promptCount, promptsIn(entries, report));
        for (const [id, session] of report.sessions) {
          checkSession(session, updatesOf(entries, id));
        }
        assert.deepEqual(countKinds(report), expected[`${name} ${proc}`]);
      });
    }
  }
});

/** What still spins or asks. Must be nothing at the end of a turn. */
function openThings(session: Session, where: string): string[] {
  const { entries, turn } = session.transcript;
  const open = entries
    .filter((entry) => entry.kind === 'tool' && (entry.status === 'pending' || entry.status === 'running'))
    .map((entry) => `${where}: tool ${entry.id} is open`);
  if (isWaitingForUser(session.transcript) || session.isWaiting) {
    open.push(`${where}: a question is open`);
  }
  if (turn.state !== 'idle' || session.isRunning) {
    open.push(`${where}: the turn is still running`);
  }
  return open;
}

function checkSession(session: Session, updates: readonly JsonObject[]): void {
  const { entries } = session.transcript;
  const ofKind = (kind: string): JsonObject[] => updates.filter((update) => update.sessionUpdate === kind);
  const said = ofKind('agent_message_chunk')
    .map((update) => asString(asObject(update.content).text) ?? '')
    // Gemini's way to tell of a mode.
    .filter((text) => !/^\[MODE_UPDATE\] \w+$/.test(text));
  const shown = entries.map((entry) => (entry.kind === 'agent' ? textOf(entry.blocks) : ''));
  // Equal, not included: a text of another session would show here as well.
  assert.equal(shown.join(''), said.join(''));

  const announced = new Set(
    [...ofKind('tool_call'), ...ofKind('tool_call_update')].map((tool) => tool.toolCallId),
  );
  const tools = entries.filter((entry) => entry.kind === 'tool');
  for (const id of announced) {
    const tool = tools.find((candidate) => candidate.id === id);
    assert.ok(
      tool !== undefined && (tool.title !== '' || tool.content.length > 0),
      `tool ${String(id)} is not shown`,
    );
  }
  const foreign = tools.filter((tool) => !announced.has(tool.id) && tool.permissions.length === 0);
  assert.deepEqual(foreign, []);
  assert.deepEqual(
    entries.flatMap(blocksOf).filter((block) => block.kind === 'unknown'),
    [],
  );
}

function blocksOf(entry: Entry): readonly { readonly kind: string }[] {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return entry.blocks;
    case 'tool':
      return entry.content.map((item) => (item.kind === 'block' ? item.block : item));
    default:
      return [];
  }
}

/** The updates a client must show for a session: all, up to the moment at which it closed the session. */
function updatesOf(entries: readonly RecordedEntry[], sessionId: string): JsonObject[] {
  const closed = entries.find(
    ({ message }) => message?.method === 'session/close' && sessionOf(message) === sessionId,
  );
  return entries
    .filter(({ line }) => closed === undefined || line < closed.line)
    .filter(({ message }) => message?.method === 'session/update' && sessionOf(message) === sessionId)
    .map(({ message }) => asObject(asObject(message?.params).update));
}

function sessionOf(message: RecordedEntry['message']): unknown {
  return asObject(message?.params).sessionId;
}

function promptsIn(entries: readonly RecordedEntry[], { sessions }: ReplayReport): number {
  return entries.filter(
    ({ message }) => message?.method === 'session/prompt' && sessions.has(String(sessionOf(message))),
  ).length;
}

function countKinds({ sessions }: ReplayReport): Record<string, number> {
  const counts: Record<string, number> = { sessions: sessions.size };
  for (const { transcript } of sessions.values()) {
    for (const { kind } of transcript.entries) {
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  return counts;
}

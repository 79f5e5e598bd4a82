import assert from 'node:assert/strict';
import { toEvents } from '../../../src/core/agent/toEvents';
import type { JsonObject } from '../../../src/shared/json';

const events = (update: JsonObject) =>
  toEvents(update, { now: () => 1, newId: () => 'id', onUnknown: () => undefined });

describe('updates of agents', () => {
  it('keep a plan that is a file apart from one that is text', () => {
    const plan = { type: 'planUpserted', at: 1, id: 'p', items: [] };
    const update = (fields: object) =>
      events({ sessionUpdate: 'plan_update', plan: { planId: 'p', ...fields } });
    assert.deepEqual(update({ type: 'file', uri: 'file:///a/plan.md' }), [
      { ...plan, uri: 'file:///a/plan.md' },
    ]);
    assert.deepEqual(update({ type: 'markdown', content: '# Plan' }), [{ ...plan, markdown: '# Plan' }]);
  });

  it('tell null, which takes back, from absence, which keeps', () => {
    const update = (fields: object) =>
      events({ sessionUpdate: 'compaction_update', compactionId: 'c', ...fields });
    const event = { type: 'compactionUpserted', at: 1, id: 'c', status: undefined };
    assert.deepEqual(update({ summary: null, error: null }), [{ ...event, summary: '', error: '' }]);
    assert.deepEqual(update({}), [{ ...event, summary: undefined, error: undefined }]);
  });

  it('tell where a command of the agent itself runs', () => {
    const [event] = events({
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      _meta: { terminal_info: { terminal_id: 'x', cwd: '/etc' } },
    });
    assert.equal(event?.type === 'toolUpserted' && event.folder, '/etc');
  });
});

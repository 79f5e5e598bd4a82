import assert from 'node:assert/strict';
import { Questions } from '../../../src/core/session/questions';
import type { TranscriptEvent } from '../../../src/shared/transcript/events';

describe('questions of agents', () => {
  const ask = () => {
    const said: TranscriptEvent[] = [];
    const questions = new Questions({
      now: () => 1,
      newId: () => 'q',
      dispatch: (event) => said.push(event),
      openExternal: () => Promise.resolve(true),
    });
    const withdrawal = new AbortController();
    const request = { mode: 'form', title: undefined, fields: [] } as const;
    const question = { message: 'Which?', request, elicitationId: undefined };
    const answer = questions.askElicitation(question, withdrawal.signal);
    return { questions, withdrawal, answer, last: () => said.at(-1) };
  };

  it('tell what was answered', async () => {
    const { questions, answer, last } = ask();
    questions.answerElicitation('q', { action: 'accept', content: { colour: 'red' } });
    assert.deepEqual(await answer, { action: 'accept', content: { colour: 'red' } });
    const event = { type: 'elicitationAnswered', id: 'q', outcome: 'accepted', answer: { colour: 'red' } };
    assert.deepEqual(last(), event);
  });

  it('tell the agent’s withdrawal from the user’s cancel', async () => {
    const cancelled = ask();
    cancelled.questions.answerElicitation('q', { action: 'cancel' });
    await cancelled.answer;
    assert.deepEqual(cancelled.last(), { type: 'elicitationAnswered', id: 'q', outcome: 'cancelled' });
    const withdrawn = ask();
    withdrawn.withdrawal.abort();
    assert.deepEqual(await withdrawn.answer, { action: 'cancel' });
    assert.deepEqual(withdrawn.last(), { type: 'elicitationAnswered', id: 'q', outcome: 'withdrawn' });
  });
});

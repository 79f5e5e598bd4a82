import assert from 'node:assert/strict';
import type { ElicitationRequest } from '../../src/shared/transcript/model';
import { askOutsideSession } from '../../src/vscode/askOutsideSession';

const page: ElicitationRequest = { mode: 'url', url: 'https://example.com/sign-in?a=1' };

describe('questions outside of sessions', () => {
  let told: string[];
  let opened: string[];
  let press: (button: string) => Promise<string | undefined>;

  const answerTo = async (
    request: ElicitationRequest,
    withdrawn = new AbortController(),
  ): Promise<string> => {
    const question = { elicitationId: undefined, message: 'Sign in', request };
    const { action } = await askOutsideSession('Demo', question, withdrawn.signal, {
      ask: (_message, _detail, open = '') => press(open),
      tell: (message) => told.push(message),
      openPage: (url) => {
        opened.push(url);
        return Promise.resolve(true);
      },
    });
    return action;
  };

  beforeEach(() => {
    told = [];
    opened = [];
    press = (button) => Promise.resolve(button);
  });

  it('open a page that the user wants opened', async () => {
    assert.equal(await answerTo(page), 'accept');
    assert.deepEqual(opened, ['https://example.com/sign-in?a=1']);
    assert.deepEqual(told, []);
  });

  it('open nothing when the agent has withdrawn meanwhile, and say so', async () => {
    const withdrawn = new AbortController();
    press = (button) => {
      withdrawn.abort();
      return Promise.resolve(button);
    };
    assert.equal(await answerTo(page, withdrawn), 'cancel');
    assert.deepEqual(opened, []);
    assert.deepEqual(told, ['Demo does not ask to open example.com any more.']);
  });

  it('are not cancelled without a word', async () => {
    assert.equal(await answerTo({ mode: 'form', title: undefined, fields: [] }), 'cancel');
    assert.equal(await answerTo({ mode: 'url', url: 'file:///etc/passwd' }), 'cancel');
    assert.deepEqual(told, [
      'Demo asked outside of a session, where it cannot be answered: Sign in',
      'Demo asked to open what is not a web page: file:///etc/passwd',
    ]);
  });
});

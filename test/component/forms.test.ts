import assert from 'node:assert/strict';
import type { ElicitationEntry, FormField, FormInput } from '../../src/shared/transcript/model';
import { matchesPattern } from '../../src/webview/entries/formPattern';
import { emptyTranscript } from '../../src/shared/transcript/model';
import { ChatPage, chatState, installPage } from '../support/webviewPage';

const choice = (value: string, description?: string) => ({ value, title: value.toUpperCase(), description });
const text: Extract<FormInput, { type: 'text' }> = {
  type: 'text',
  format: undefined,
  minLength: undefined,
  maxLength: undefined,
  pattern: undefined,
  value: undefined,
};
const field = (key: string, input: FormInput, isRequired = false): FormField => ({
  key,
  title: `The ${key}`,
  description: undefined,
  isRequired,
  input,
});
const asked = (...fields: readonly FormField[]): ElicitationEntry => ({
  kind: 'elicitation',
  id: 'e1',
  at: 0,
  message: 'What now?',
  outcome: undefined,
  request: { mode: 'form', title: 'Some questions', fields },
});

describe('a form of an agent', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  const open = async (...fields: readonly FormField[]): Promise<void> => {
    page = await ChatPage.open(chatState, { entries: [asked(...fields)] });
  };
  const write = async (selector: string, value: string): Promise<void> => {
    const input = page.find(selector);
    assert.ok('value' in input);
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await page.painted();
  };
  const submit = async (): Promise<void> => {
    page.find('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    await page.painted();
  };
  const answers = () => page.sent('answerElicitation').map(({ answer }) => answer);

  it('shows what each choice means, and its own title', async () => {
    const choices = [choice('red', 'The colour red'), choice('green', 'The colour green')];
    await open(
      field('one', { type: 'choice', choices, value: undefined }, true),
      field('some', { type: 'choices', choices, minItems: undefined, maxItems: undefined, value: [] }),
    );
    assert.equal(page.find('.form-title').textContent, 'Some questions');
    assert.equal(page.find('[role="radiogroup"] .choice-description').textContent, 'The colour red');
    const second = page.all('[role="radiogroup"] input')[1];
    const third = page.all('[role="group"] input[type="checkbox"]')[0];
    assert.ok(second !== undefined && third !== undefined);
    await page.click(second);
    await page.click(third);
    await submit();
    assert.deepEqual(answers(), [{ action: 'accept', content: { one: 'green', some: ['red'] } }]);
  });

  it('lets a choice that need not be made be taken back', async () => {
    await open(field('one', { type: 'choice', choices: [choice('red', 'Red')], value: undefined }));
    await page.click(page.find('input[type="radio"]'));
    await page.click(page.find('input[type="radio"]'));
    await submit();
    assert.deepEqual(answers(), [{ action: 'accept', content: {} }]);
  });

  it('takes the user to what is wrong, and says it', async () => {
    await open(
      field('name', text),
      field('mail', { ...text, format: 'email' }, true),
      field('x', text, true),
    );
    await submit();
    assert.deepEqual(answers(), []);
    assert.equal(document.activeElement, page.find('input[type="email"]'));
    assert.equal(page.find('form [role="alert"]').textContent, 'The mail: Please fill in this field.');
    await write('input[type="email"]', 'a@b');
    assert.equal(page.find('form [role="alert"]').textContent, 'The x: Please fill in this field.');
  });

  const formats = [
    ['email', 'email', 'nobody', 'a@b.c'],
    ['uri', 'url', 'nowhere', 'https://a.b'],
    ['date', 'date', '', '2024-02-29'],
  ] as const;
  for (const [format, type, wrong, right] of formats) {
    it(`asks for a ${format} and takes nothing else`, async () => {
      await open(field('value', { ...text, format }, true));
      await write(`input[type="${type}"]`, wrong);
      await submit();
      assert.deepEqual(answers(), []);
      await write(`input[type="${type}"]`, right);
      await submit();
      assert.deepEqual(answers(), [{ action: 'accept', content: { value: right } }]);
    });
  }

  it('asks for a time in the user’s own zone and answers with a zone', async () => {
    const value = '2024-05-06T07:08:00.000Z';
    await open(field('when', { ...text, format: 'date-time', value }));
    assert.equal(page.all('input[type="datetime-local"]').length, 1);
    await submit();
    assert.deepEqual(answers(), [{ action: 'accept', content: { when: value } }]);
  });

  it('keeps what is filled in while another session is shown', async () => {
    await open(field('name', text));
    await write('input[type="text"]', 'half an ans');
    page.send({ type: 'snapshot', seq: 0, sessionId: 's2', transcript: emptyTranscript });
    await page.painted();
    assert.equal(page.all('form').length, 0);
    const transcript = { ...emptyTranscript, entries: [asked(field('name', text))] };
    page.send({ type: 'snapshot', seq: 0, sessionId: 's1', transcript });
    await page.painted();
    await submit();
    assert.deepEqual(answers(), [{ action: 'accept', content: { name: 'half an ans' } }]);
  });

  it('tells afterwards what was answered', async () => {
    const choices = [choice('red'), choice('green')];
    await open(
      field('one', { type: 'choice', choices, value: undefined }),
      field('sure', { type: 'boolean', value: undefined }),
      field('some', { type: 'choices', choices, minItems: undefined, maxItems: undefined, value: [] }),
      field('left', text),
    );
    await page.events({
      type: 'elicitationAnswered',
      id: 'e1',
      outcome: 'accepted',
      answer: { one: 'green', sure: true, some: [] },
    });
    assert.equal(page.find('.given-answer').textContent, 'The oneGREENThe sureYes');
  });

  const outcomes = [
    ['declined', 'Declined'],
    ['cancelled', 'Cancelled'],
    ['withdrawn', 'No longer asked'],
  ] as const;
  for (const [outcome, words] of outcomes) {
    it(`tells that it was ${outcome}`, async () => {
      await open(field('name', text));
      await page.events({ type: 'elicitationAnswered', id: 'e1', outcome });
      assert.equal(page.find('.permission-answer').textContent, words);
      assert.equal(page.all('form').length, 0);
    });
  }
});

describe('a pattern of an agent', () => {
  it('is matched', () => {
    assert.equal(matchesPattern('^[a-z]+-\\d+$', 'abc-12'), true);
    assert.equal(matchesPattern('^[a-z]+-\\d+$', 'abc'), false);
  });

  for (const pattern of ['(a+)+$', '(a|a)*$', '(?:a|aa){1,}$', 'a*a*a*a*a*a*b', '(', 'a'.repeat(300)]) {
    it(`is not tried when it may take for ever, or is none: ${pattern.slice(0, 20)}`, () => {
      assert.equal(matchesPattern(pattern, `${'a'.repeat(200)}!`), true);
    });
  }

  it('is not tried with a text of a length that makes it slow', () => {
    assert.equal(matchesPattern('^b+$', 'a'.repeat(10_000)), true);
  });
});

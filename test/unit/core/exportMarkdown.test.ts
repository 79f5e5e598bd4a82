import assert from 'node:assert/strict';
import { exportMarkdown } from '../../../src/core/transcripts/exportMarkdown';
import { attachedText } from '../../../src/shared/attachments';
import type { TranscriptEvent } from '../../../src/shared/transcript/events';
import { emptyTranscript } from '../../../src/shared/transcript/model';
import { reduce } from '../../../src/shared/transcript/reduce';

const exported = (...events: readonly TranscriptEvent[]): string =>
  exportMarkdown(events.reduce(reduce, emptyTranscript), 'Title', 'Demo');

describe('an exported conversation', () => {
  it('names what went along with a prompt, apart from its words', () => {
    const text = exported({
      type: 'turnStarted',
      at: 1,
      turnId: 1,
      entryId: 'u',
      blocks: [
        { kind: 'text', text: attachedText('notes.md', 'long notes') },
        { kind: 'resource', uri: 'file:///w/a.ts', mimeType: undefined, text: 'secret', blob: undefined },
        { kind: 'image', mimeType: 'image/png', data: 'QUJD', uri: undefined },
        { kind: 'text', text: 'What is this?' },
      ],
    });
    assert.equal(
      text,
      '# Title\n\n*With Demo*\n\n## You\n\n*Attached: notes.md, file:///w/a.ts, image*\n\nWhat is this?\n',
    );
  });

  it('holds commands, their output and what was answered', () => {
    const text = exported(
      {
        type: 'toolUpserted',
        at: 1,
        id: 't',
        title: 'Run tests',
        rawInput: { command: 'npm test' },
        content: [{ kind: 'terminal', terminalId: 'one' }],
      },
      {
        type: 'terminalOutput',
        terminalId: 'one',
        data: Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join(''),
      },
      {
        type: 'permissionAsked',
        at: 2,
        requestId: 'r',
        toolId: 't',
        options: [{ id: 'y', name: 'Allow', kind: 'allow_once' }],
      },
      {
        type: 'permissionAnswered',
        at: 3,
        requestId: 'r',
        toolId: 't',
        outcome: { kind: 'selected', optionId: 'y', rule: 'Allow everything' },
      },
      { type: 'toolUpserted', at: 4, id: 't', status: 'completed' },
    );
    assert.match(text, /^- \*\*Run tests\*\*: completed; answered “Allow” by rule: Allow everything$/m);
    assert.match(text, /^ {2}```sh\n {2}npm test\n {2}```$/m);
    assert.match(text, /…\n {2}line 20\n/);
    assert.match(text, /line 59\n {2}```/);
    assert.doesNotMatch(text, /line 19\n/);
  });

  it('holds the lines that were changed', () => {
    const text = exported({
      type: 'toolUpserted',
      at: 1,
      id: 't',
      title: 'Edit',
      content: [
        { kind: 'diff', path: '/w/a.ts', oldText: 'one\ntwo\nthree\n', newText: 'one\n2\nthree\n' },
        { kind: 'block', block: { kind: 'text', text: 'has ``` in it' } },
      ],
    });
    assert.match(text, /\/w\/a\.ts\n\n {2}```diff\n {2}@@ line 2 @@\n {2}-two\n {2}\+2\n {2}```/);
    assert.match(text, /````\n {2}has ``` in it\n {2}````/);
    assert.doesNotMatch(text, /three/);
  });

  it('holds plans, questions with their answers, and the reasons of notices', () => {
    const text = exported(
      {
        type: 'planUpserted',
        at: 1,
        id: 'p',
        items: [{ text: 'Look', status: 'completed', priority: 'high' }],
        markdown: '# The plan',
      },
      {
        type: 'elicitationAsked',
        at: 2,
        id: 'e',
        message: 'Sign in',
        request: { mode: 'url', url: 'https://x.y/' },
      },
      { type: 'elicitationAnswered', id: 'e', outcome: 'accepted' },
      { type: 'noticeAdded', at: 3, entryId: 'n', severity: 'error', text: 'It failed', detail: 'because' },
      { type: 'compactionUpserted', at: 4, id: 'c', status: 'completed', summary: 'All of it' },
    );
    assert.match(text, /# The plan\n\n- \[x\] Look/);
    assert.match(text, /\*Sign in \(https:\/\/x\.y\/\)\* accepted/);
    assert.match(text, /\*It failed\*\n\n> because/);
    assert.match(text, /compacted:\*\n\n> All of it/);
  });
});

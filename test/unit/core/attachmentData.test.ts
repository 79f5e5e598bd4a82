import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AttachmentData } from '../../../src/core/session/attachmentData';
import { Drafts } from '../../../src/core/session/drafts';
import { PromptQueues } from '../../../src/core/session/promptQueue';
import type { Attachment } from '../../../src/shared/attachments';
import { MemoryLog, MemoryMemento } from '../../support/fakes';
import { until } from '../../support/until';

const image = (id: string, data: string): Attachment => ({
  kind: 'image',
  id,
  name: `${id}.png`,
  mimeType: 'image/png',
  data,
});

describe('images of drafts and queues', () => {
  const memento = new MemoryMemento();
  let folder: string;
  let drafts: Drafts;
  let queues: PromptQueues;
  let data: AttachmentData;

  /** What a window reload does. */
  const reload = (): void => {
    data = new AttachmentData(folder, new MemoryLog());
    queues = new PromptQueues(memento, data);
    drafts = new Drafts(memento, data);
  };
  const files = (): readonly string[] => readdirSync(folder);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-attachments-'));
    memento.values.clear();
    reload();
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('are stored apart from the words, once, and are there after a reload', () => {
    drafts.set('s', { text: 'look', attachments: [image('a', 'QUJD')] });
    drafts.set('s', { text: 'look at', attachments: [image('a', '')] });
    assert.doesNotMatch(JSON.stringify([...memento.values]), /QUJD/);
    assert.equal(files().length, 1);
    reload();
    assert.deepEqual(drafts.get('s'), { text: 'look at', attachments: [image('a', 'QUJD')] });
  });

  it('go from the draft to the queue, and are gone when they were sent', async () => {
    drafts.set('s', { text: 'look', attachments: [image('a', 'QUJD')] });
    const attachments = drafts.filled([image('a', '')]);
    drafts.set('s', { text: '', attachments: [] });
    queues.add('s', { id: 'q', text: 'look', attachments });
    await Promise.resolve();
    assert.doesNotMatch(JSON.stringify([...memento.values]), /QUJD/);
    reload();
    assert.deepEqual(queues.of('s')[0]?.attachments, [image('a', 'QUJD')]);
    queues.take('s');
    await until('the end of the file', () => files().length === 0);
  });

  it('go with the session', async () => {
    drafts.set('s', { text: '', attachments: [image('a', 'QUJD')] });
    drafts.set('', { text: 'no session yet', attachments: [] });
    drafts.prune(() => false);
    await until('the end of the file', () => files().length === 0);
    reload();
    assert.equal(drafts.get('').text, 'no session yet');
    assert.deepEqual(drafts.get('s').attachments, []);
  });

  it('are left out when their data is lost, and removed when nothing refers to them', () => {
    drafts.set('s', { text: 'kept', attachments: [image('a', 'QUJD')] });
    memento.values.clear();
    reload();
    data.removeLeftovers();
    assert.deepEqual(files(), []);
    drafts.set('s', { text: 'kept', attachments: [image('a', '')] });
    assert.deepEqual(drafts.get('s'), { text: 'kept', attachments: [] });
  });

  it('that older versions stored with the words are taken over', () => {
    void memento.update('parley.drafts', { s: { text: 'old', attachments: [image('a', 'QUJD')] } });
    reload();
    assert.deepEqual(drafts.get('s').attachments, [image('a', 'QUJD')]);
    assert.equal(files().length, 1);
  });
});

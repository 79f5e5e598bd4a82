import { writeSync } from 'node:fs';
import { TranscriptStore } from '../../../src/core/transcripts/transcriptStore';
import { listLog } from './listLog';

/** Appends to a transcript every few milliseconds and says so, until it is killed. */
const [directory = ''] = process.argv.slice(2);
const store = new TranscriptStore(directory, listLog().log);
store.open({ sessionId: 'killed', title: 'Mid-turn' });
let count = 0;
setInterval(() => {
  count += 1;
  const at = Date.now();
  store.append('killed', {
    type: 'messageChunk',
    at,
    role: 'agent',
    entryId: 'a',
    messageId: 'm',
    block: { kind: 'text', text: `${count}@${at} ` },
  });
  writeSync(1, `${count}@${at}\n`);
}, 3);

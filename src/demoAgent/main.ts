import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk/unstable';
import { createDemoAgent } from './demoAgent';

const agent = createDemoAgent({
  stateDirectory: process.env.PARLEY_DEMO_STATE ?? join(tmpdir(), 'parley-demo'),
  isPaced: process.env.PARLEY_DEMO_PACE !== '0',
  exit: (code, lastWords) => {
    process.stderr.write(lastWords);
    process.exit(code);
  },
});

const connection = agent.connect(
  acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)),
);

void connection.closed.then(() => {
  process.exit(0);
});

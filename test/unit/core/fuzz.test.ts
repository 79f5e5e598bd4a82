import assert from 'node:assert/strict';
import { fuzz } from '../../support/fuzzRun';

const SEED = 20_261_118;
const COUNT = 24_000;

describe('damaged messages of real agents', () => {
  it(`survives ${COUNT} of them and stays usable`, async function () {
    this.timeout(20_000);
    const report = await fuzz({ seed: SEED, count: COUNT });
    assert.deepEqual(report.problems, []);
    assert.equal(report.sent, COUNT);
    // Else the damage was so great that nothing was tested but the parser.
    assert.ok(report.received > COUNT / 2, `only ${report.received} messages were read`);
    assert.ok(report.entries > COUNT / 20, `only ${report.entries} entries came of it`);
  });
});

import { appendFileSync, writeFileSync } from 'node:fs';
import { format } from 'node:util';
import Mocha from 'mocha';

const { Base, Spec } = Mocha.reporters;

/**
 * mocha's usual output, plus the counts in a file, for test.mjs to add up. Inside VS Code, where nobody
 * sees the console, the output itself goes to a file, too.
 */
export default class CountingReporter extends Spec {
  /**
   * @param {Mocha.Runner} runner
   * @param {Mocha.MochaOptions} [options]
   */
  constructor(runner, options) {
    const output = process.env.PARLEY_TEST_OUTPUT;
    if (output !== undefined && output !== '') {
      Base.consoleLog = (...line) => appendFileSync(output, `${format(...line)}\n`);
    }
    super(runner, options);
    const counts = process.env.PARLEY_TEST_COUNTS;
    if (counts !== undefined && counts !== '') {
      runner.once('end', () => {
        const { passes: passed, failures: failed, pending: skipped } = this.stats;
        writeFileSync(counts, JSON.stringify({ passed, failed, skipped }));
      });
    }
  }
}

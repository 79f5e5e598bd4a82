import type { BenchWindow } from './benchWindow';
import { interleaved, median, type Measurement } from './measurement';

const ROUNDS = 7;
const SHORT = '20';
const LONG = '2000';

/** From the click on a session of an earlier window to the end of its transcript being drawn. */
export async function measureOpenStored(window: BenchWindow): Promise<readonly Measurement[]> {
  for (const count of [SHORT, LONG]) {
    await window.emptySession();
    await window.timedTurn(`entries ${count}`);
  }
  const samples = await interleaved([SHORT, LONG], ROUNDS, async (count) => {
    await window.reload();
    // What is loaded when it is first used is loaded before, or the first session to be opened would pay for all.
    await window.emptySession();
    await window.settled();
    return await open(window, Number(count));
  });
  return [
    {
      name: 'openStored',
      value: median(samples[LONG]) / median(samples[SHORT]),
      unit: '×',
      comparedWith: `one of ${SHORT}: time to open a stored transcript of ${LONG} entries (${ROUNDS} times each)`,
      target: 2,
      samples,
    },
  ];
}

async function open({ chat }: BenchWindow, count: number): Promise<number> {
  const last = `Entry ${count} is the last.`;
  const watch = await chat.root.evaluateHandle((root, text) => {
    const drawn = new Promise<number>((resolve) => {
      let startedAt = NaN;
      root.addEventListener('click', (event) => (startedAt = event.timeStamp), { capture: true, once: true });
      const changes = new MutationObserver(() => {
        if (root.querySelector('.rows')?.lastElementChild?.textContent.includes(text) === true) {
          changes.disconnect();
          requestAnimationFrame(() => requestAnimationFrame((now) => resolve(now - startedAt)));
        }
      });
      changes.observe(root, { childList: true, characterData: true, subtree: true });
    });
    return { drawn };
  }, last);
  await chat.frame.locator('.recent-session', { hasText: new RegExp(`entries ${count}(?!\\d)`) }).click();
  const took = await watch.evaluate(({ drawn }) => drawn);
  const isInSight = await chat
    .entries('agent')
    .last()
    .evaluate((entry) => entry.getBoundingClientRect().bottom <= window.innerHeight);
  if (!isInSight) {
    throw new Error(`The end of the transcript of ${count} entries is not in sight.`);
  }
  return took;
}

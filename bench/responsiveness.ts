import { setTimeout as delay } from 'node:timers/promises';
import type { BenchWindow } from './benchWindow';
import { median, percentile, type Measurement } from './measurement';

const ROUNDS = 15;
const WARM_UP_ROUNDS = 2;
const KB = 64;
/** Faster than anybody types. */
const KEY_MS = 20;
const LIMIT_MS = 50;
/** The browser does not report shorter ones. */
const SHORTEST_MS = 16;

/** TypeScript's own type of it does not know events. */
interface EventTimingInit extends PerformanceObserverInit {
  readonly durationThreshold: number;
}

interface Round {
  readonly longTasks: readonly { readonly where: string; readonly ms: number }[];
  readonly keys: readonly number[];
}

/** Whether the chat can be used while an answer comes as fast as an agent can write. */
export async function measureResponsiveness(window: BenchWindow): Promise<readonly Measurement[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    await window.newSession();
    const result = await play(window);
    if (round >= WARM_UP_ROUNDS) {
      rounds.push(result);
    }
  }
  const keys = rounds.flatMap((round) => round.keys);
  const during = `while ${KB} KB stream at full speed (${ROUNDS} times)`;
  return [
    {
      name: 'responsiveness, long tasks',
      value: median(rounds.map(({ longTasks }) => longTasks.length)),
      unit: `over ${LIMIT_MS} ms`,
      comparedWith: `none, by the median of the rounds, ${during}`,
      target: 0,
      samples: rounds.map(({ longTasks }) => longTasks),
    },
    {
      name: 'responsiveness, typing',
      value: percentile(keys, 0.95) / LIMIT_MS,
      unit: `× ${LIMIT_MS} ms`,
      comparedWith: `keypress to paint, p95 of ${keys.length} keys ${during}`,
      target: 1,
      samples: keys,
    },
  ];
}

async function play(window: BenchWindow): Promise<Round> {
  const { keyboard } = window.workbench.page;
  const observed = await window.chat.frame.evaluateHandle(
    ({ shortest }) => {
      const longTasks: { where: string; ms: number }[] = [];
      const slowKeys: number[] = [];
      const count = { keys: 0 };
      const tasks = new PerformanceObserver((list) => {
        longTasks.push(...list.getEntries().map(({ name, duration }) => ({ where: name, ms: duration })));
      });
      const events = new PerformanceObserver((list) => {
        const keys = list.getEntries().filter(({ name }) => name === 'keydown');
        slowKeys.push(...keys.map(({ duration }) => duration));
      });
      tasks.observe({ type: 'longtask' });
      const slowOnes: EventTimingInit = { type: 'event', durationThreshold: shortest };
      events.observe(slowOnes);
      document.addEventListener('keydown', () => (count.keys += 1), { capture: true });
      return { longTasks, slowKeys, count };
    },
    { shortest: SHORTEST_MS },
  );
  await window.timedTurn(`stream ${KB} Infinity`, async () => {
    await keyboard.press('a');
    await delay(KEY_MS);
  });
  await window.settled();
  await window.expectShown(KB * 1000 * 0.9);
  await window.chat.composer.fill('');
  const { longTasks, slowKeys, count } = await observed.jsonValue();
  const quick = Array<number>(Math.max(0, count.keys - slowKeys.length)).fill(SHORTEST_MS);
  return { longTasks, keys: [...slowKeys, ...quick] };
}

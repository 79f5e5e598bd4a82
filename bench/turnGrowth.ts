import type { BenchWindow } from './benchWindow';
import { median, type Measurement } from './measurement';

const TURNS = 200;
const ROUNDS = 2;
const WARM_UP_TURNS = 10;
/** One turn alone is too short to be measured well: each end is the median of so many, of all rounds. */
const WINDOW = 15;
const CURVE_STEP = 20;

/**
 * Whether a turn costs more when many came before it. What the machine has to spare changes within a minute: the last
 * turns of the long session are set against the first ones of another, right behind them.
 */
export async function measureTurnGrowth(window: BenchWindow): Promise<readonly Measurement[]> {
  await playTurns(window, WARM_UP_TURNS);
  const long: (readonly number[])[] = [];
  const short: (readonly number[])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    long.push(await playTurns(window, TURNS));
    short.push(await playTurns(window, WINDOW));
  }
  const first = median(short.flat());
  const upTo = (end: number): number => median(long.flatMap((turns) => turns.slice(end - WINDOW, end)));
  const ends = Array.from({ length: TURNS / CURVE_STEP }, (_, index) => (index + 1) * CURVE_STEP);
  return [
    {
      name: 'turnGrowth',
      value: upTo(TURNS) / first,
      unit: '×',
      comparedWith: `the first turn: page CPU of turn ${TURNS} of a session (${ROUNDS} sessions of each)`,
      target: 1.2,
      samples: { long, short },
      curve: {
        lengthIn: 'turns of the session',
        points: [{ length: 1, ratio: 1 }, ...ends.map((end) => ({ length: end, ratio: upTo(end) / first }))],
      },
    },
  ];
}

async function playTurns(window: BenchWindow, count: number): Promise<readonly number[]> {
  await window.newSession();
  await window.meter.calibrate();
  const costs: number[] = [];
  while (costs.length < count) {
    costs.push(await window.turn('turn'));
  }
  return costs;
}

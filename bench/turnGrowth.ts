import type { BenchWindow } from './benchWindow';
import { median, type Measurement } from './measurement';

const TURNS = 200;
const WARM_UP_TURNS = 10;
/** One turn alone is too short to be measured well: each end is the median of so many. */
const WINDOW = 5;
const CURVE_STEP = 20;

/** Whether a turn costs more when many came before it. The first turns are measured before and after the long session. */
export async function measureTurnGrowth(window: BenchWindow): Promise<readonly Measurement[]> {
  await playTurns(window, WARM_UP_TURNS);
  const long = await playTurns(window, TURNS);
  const short = await playTurns(window, WINDOW);
  const first = median([...long.slice(0, WINDOW), ...short]);
  const ends = Array.from({ length: TURNS / CURVE_STEP }, (_, index) => (index + 1) * CURVE_STEP);
  return [
    {
      name: 'turnGrowth',
      value: median(long.slice(-WINDOW)) / first,
      unit: '×',
      comparedWith: `the first turn: page CPU of turn ${TURNS} of a session`,
      target: 1.2,
      samples: { long, short },
      curve: {
        lengthIn: 'turns of the session',
        points: [
          { length: 1, ratio: 1 },
          ...ends.map((end) => ({ length: end, ratio: median(long.slice(end - WINDOW, end)) / first })),
        ],
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

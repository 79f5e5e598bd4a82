import type { BenchWindow } from './benchWindow';
import { interleaved, median, type Measurement } from './measurement';

const ROUNDS = 5;
const KB_PER_SECOND = 128;
const sizes = ['16', '32', '64', '128', '256'] as const;

/** What a KB of an answer costs the page, by the length of the answer. Fast, but slow enough to be drawn as it comes. */
export async function measureStreamCost(window: BenchWindow): Promise<readonly Measurement[]> {
  const measure = async (size: (typeof sizes)[number]): Promise<number> => {
    await window.newSession();
    await window.meter.calibrate();
    return (await window.turn(`stream ${size} ${KB_PER_SECOND}`)) / Number(size);
  };
  await interleaved(sizes, 1, measure);
  const samples = await interleaved(sizes, ROUNDS, measure);
  return [
    {
      name: 'streamCost',
      value: median(samples['256']) / median(samples['16']),
      unit: '×',
      comparedWith: 'cost per KB of a 16 KB answer, for a 256 KB answer',
      target: 1.3,
      samples,
    },
  ];
}

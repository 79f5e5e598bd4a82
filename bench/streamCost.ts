import type { BenchWindow } from './benchWindow';
import { interleaved, median, type Measurement } from './measurement';

const ROUNDS = 5;
/** Faster than any model writes, slow enough for the page to draw the text as it comes. */
const KB_PER_SECOND = 64;
const EMPTY = '0';
const sizes = [EMPTY, '16', '32', '64', '128', '256'] as const;
type Size = (typeof sizes)[number];

/** What a KB of an answer costs the page, by the length of the answer. Each answer is the second of a new session. */
export async function measureStreamCost(window: BenchWindow): Promise<readonly Measurement[]> {
  const measure = async (size: Size): Promise<number> => {
    await window.newSession();
    await window.meter.calibrate();
    const cost = await window.turn(`stream ${size} ${KB_PER_SECOND}`);
    await window.expectShown(Number(size) * 1000 * 0.9);
    return cost;
  };
  await interleaved(['16', '256'], 1, measure);
  const samples = await interleaved(sizes, ROUNDS, measure);
  const perKb = (size: Size, fixed: number): number => (median(samples[size]) - fixed) / Number(size);
  const ratio = (fixed: number): number => perKb('256', fixed) / perKb('16', fixed);
  return [
    {
      name: 'streamCost',
      value: ratio(0),
      unit: '×',
      comparedWith: 'a 16 KB answer: page CPU per KB of a 256 KB answer',
      target: 1.3,
      samples,
      curve: {
        lengthIn: 'KB of the answer',
        points: sizes
          .filter((size) => size !== EMPTY)
          .map((size) => ({ length: Number(size), ratio: perKb(size, 0) / perKb('16', 0) })),
      },
    },
    {
      name: 'streamCost, text only',
      value: ratio(median(samples[EMPTY])),
      unit: '×',
      comparedWith: 'the same without what an empty turn costs',
    },
  ];
}

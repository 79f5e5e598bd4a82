/** One line of the table: a ratio or a count, never a time, so that it means the same on every machine. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly comparedWith: string;
  /** The value should not be above it. */
  readonly target?: number;
  /** What the value was made of, for whoever wants to look closer. */
  readonly samples?: unknown;
  /** Cost against length, relative to the shortest. */
  readonly curve?: Curve;
}

export interface Curve {
  readonly lengthIn: string;
  readonly points: readonly { readonly length: number; readonly ratio: number }[];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const high = sorted[Math.floor(middle)];
  const low = sorted[Math.ceil(middle) - 1];
  if (high === undefined || low === undefined) {
    throw new Error('There is no median of nothing.');
  }
  return (low + high) / 2;
}

/** The smallest value that at least `share` of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) {
    throw new Error('There is no percentile of nothing.');
  }
  return value;
}

/** Runs the sides in turn, so that whatever disturbs the machine disturbs both alike. */
export async function interleaved<Side extends string>(
  sides: readonly Side[],
  rounds: number,
  measure: (side: Side) => Promise<number>,
): Promise<Record<Side, number[]>> {
  const samples = Object.fromEntries(sides.map((side) => [side, []])) as unknown as Record<Side, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides : [...sides].reverse()) {
      samples[side].push(await measure(side));
    }
  }
  return samples;
}

import { candidate, fuzzyScore, lettersOf, mayMatch, type Candidate } from './fuzzy';

export interface ScoredPath {
  readonly path: string;
  readonly score: number;
}

/** Finds paths by a few of their letters. A query that extends the last one looks only at what that one found. */
export class PathSearch {
  private readonly all: readonly Candidate[];
  private last: { readonly query: string; readonly matches: readonly Candidate[] } | undefined;

  constructor(
    paths: readonly string[],
    private readonly score: typeof fuzzyScore = fuzzyScore,
  ) {
    this.all = paths.map(candidate);
  }

  /** Best first. `bonus` raises what is more likely for reasons outside of the name. */
  find(query: string, limit: number, bonus: (path: string) => number = () => 0): readonly ScoredPath[] {
    const { last } = this;
    const pool = last !== undefined && query.startsWith(last.query) ? last.matches : this.all;
    const letters = lettersOf(query.toLowerCase());
    const matches: Candidate[] = [];
    const best: ScoredPath[] = [];
    for (const one of pool) {
      const score = mayMatch(letters, one) ? this.score(query, one) : undefined;
      if (score !== undefined) {
        matches.push(one);
        keepBest(best, { path: one.path, score: score + bonus(one.path) }, limit);
      }
    }
    this.last = { query, matches };
    return best;
  }
}

/** `best` stays sorted and short, which is cheaper than sorting everything that matched. */
function keepBest(best: ScoredPath[], found: ScoredPath, limit: number): void {
  const worst = best.at(-1);
  if (best.length >= limit && worst !== undefined && worst.score >= found.score) {
    return;
  }
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((best[middle]?.score ?? 0) >= found.score) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  best.splice(low, 0, found);
  if (best.length > limit) {
    best.pop();
  }
}

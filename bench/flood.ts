import { BarePage } from './barePage';
import type { BenchWindow } from './benchWindow';
import { interleaved, median, type Measurement } from './measurement';

const ROUNDS = 7;
const CHUNKS = 20_000;
/** As many characters as a token has. */
const CHUNK_CHARACTERS = 4;
const PROMPT = `flood ${CHUNKS} ${CHUNK_CHARACTERS}`;
/** Of Markdown, not all is to be seen as text. */
const SHOWN_CHARACTERS = CHUNKS * CHUNK_CHARACTERS * 0.8;

/** How long an answer in very many pieces takes to be drawn, against a page that does nothing but append them. */
export async function measureFlood(window: BenchWindow): Promise<readonly Measurement[]> {
  const bare = await BarePage.open(window.workbench.page);
  try {
    const measure = async (side: 'parley' | 'bare'): Promise<number> => {
      if (side === 'bare') {
        const took = await bare.timedTurn(PROMPT);
        await bare.expectShown(SHOWN_CHARACTERS);
        return took;
      }
      await window.newSession();
      const took = await window.timedTurn(PROMPT);
      await window.expectShown(SHOWN_CHARACTERS);
      return took;
    };
    await interleaved(['bare', 'parley'], 1, measure);
    const samples = await interleaved(['bare', 'parley'], ROUNDS, measure);
    return [
      {
        name: 'flood',
        value: median(samples.parley) / median(samples.bare),
        unit: '×',
        comparedWith: `a bare page that appends the same: time to draw ${CHUNKS} tiny chunks (${ROUNDS} times each)`,
        target: 1.5,
        samples,
      },
    ];
  } finally {
    await bare.close();
  }
}

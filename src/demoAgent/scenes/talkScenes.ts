import { longMarkdown, markdownSample } from './markdownSample';
import type { Turn } from '../turn';

export async function playThink(turn: Turn): Promise<void> {
  await turn.think(
    'First I repeat the question to myself.\n\nThen I weigh two answers: a short one and a long one. ' +
      'The long one explains more, the short one is read to its end.\n\nThe short one it is.',
  );
  const isHidden = !turn.session.settings.showsThoughts;
  await turn.say(
    isHidden
      ? 'The option "Show thoughts" is off. Turn it on and send `/think` again.\n'
      : 'I have thought about it, as far as a script can. Open the thought above to read it.\n',
  );
}

export async function playMarkdown(turn: Turn): Promise<void> {
  await turn.say(markdownSample);
}

const MAX_KB = 16_384;
const CHUNK_CHARACTERS = 96;

/** At full speed: this scene is for measuring the client, not for reading. */
export async function playLong(turn: Turn, size: string): Promise<void> {
  const asked = Number.parseInt(size, 10);
  const kilobytes = Number.isNaN(asked) ? 64 : Math.min(Math.max(asked, 1), MAX_KB);
  const text = longMarkdown(kilobytes * 1024);
  for (let start = 0; start < text.length; start += CHUNK_CHARACTERS) {
    await turn.sayChunk(text.slice(start, start + CHUNK_CHARACTERS));
  }
}

const SLOW_WORDS = 600;

/** One word per second whatever the pace is, because it is there to be stopped. */
export async function playSlow(turn: Turn): Promise<void> {
  const words = 'This answer takes ten minutes unless you stop it so please press Stop at any time.'.split(
    ' ',
  );
  for (let index = 0; index < SLOW_WORDS; index += 1) {
    await turn.sayChunk(`${words[index % words.length] ?? ''} `);
    await turn.wait(1000);
  }
}

export async function playUsage(turn: Turn): Promise<void> {
  await turn.say('The context meter now rises in a few steps. The numbers are made up and cost nothing.\n');
  for (const tokens of [20_000, 40_000, 60_000]) {
    turn.session.countText('x'.repeat(tokens));
    await turn.showUsage();
    await turn.pause(700);
  }
}

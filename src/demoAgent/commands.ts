import type { AvailableCommand, StopReason } from '@agentclientprotocol/sdk/unstable';
import { playAsk } from './scenes/askScene';
import { playChange } from './scenes/changeScene';
import { playEdit } from './scenes/editScene';
import { playCrash, playFail } from './scenes/failureScenes';
import { playPlan } from './scenes/planScene';
import { playRun } from './scenes/runScene';
import { playLong, playMarkdown, playSlow, playThink, playUsage } from './scenes/talkScenes';
import { playTour } from './scenes/tourScene';
import type { Turn } from './turn';

/** A slash command of the demo. */
export interface Command {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  readonly play: (turn: Turn, argument: string) => Promise<void>;
  /** How its turn ends, unless plainly. */
  readonly stopReason?: StopReason;
}

export const commands: readonly Command[] = [
  { name: 'tour', description: 'Shows everything in one turn, in about fifteen seconds', play: playTour },
  { name: 'edit', description: 'Proposes a small edit and asks before writing it', play: playEdit },
  {
    name: 'change',
    description: 'Changes files in three ways, to try Keep and Undo',
    play: playChange,
  },
  {
    name: 'run',
    description: 'Runs a command in a terminal, after asking',
    hint: 'node --version',
    play: playRun,
  },
  { name: 'plan', description: 'Shows a plan and ticks off its steps', play: playPlan },
  { name: 'think', description: 'Thinks aloud before it answers', play: playThink },
  { name: 'markdown', description: 'Writes one of every kind of Markdown', play: playMarkdown },
  {
    name: 'long',
    description: 'Writes a long answer at full speed',
    hint: 'size in KB, 64 if left out',
    play: playLong,
  },
  {
    name: 'ask',
    description: 'Asks you a few questions in a form',
    hint: 'url, to ask about a page',
    play: playAsk,
  },
  { name: 'fail', description: 'Ends the turn with an error', play: playFail },
  { name: 'refuse', description: 'Refuses to answer', play: playRefuse, stopReason: 'refusal' },
  { name: 'crash', description: 'Ends the process of the agent in the middle of a turn', play: playCrash },
  { name: 'slow', description: 'Writes one word per second, to try Stop', play: playSlow },
  { name: 'usage', description: 'Moves the context meter', play: playUsage },
  { name: 'commands', description: 'Lists these commands', play: playCommands },
];

export function availableCommands(): AvailableCommand[] {
  return commands.map(({ name, description, hint }) => ({
    name,
    description,
    input: hint === undefined ? undefined : { hint },
  }));
}

async function playRefuse(turn: Turn): Promise<void> {
  await turn.say('I refuse to answer that, because you sent `/refuse`.\n');
}

async function playCommands(turn: Turn): Promise<void> {
  const lines = commands.map(({ name, description }) => `- \`/${name}\`: ${description}\n`);
  await turn.say(`This script knows these commands:\n\n${lines.join('')}`);
}

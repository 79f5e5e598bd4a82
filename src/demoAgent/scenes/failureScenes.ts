import { RequestError } from '@agentclientprotocol/sdk/unstable';
import type { Turn } from '../turn';

export async function playFail(turn: Turn): Promise<never> {
  await turn.say('I begin an answer, and then something goes wrong.\n');
  throw new RequestError(
    -32603,
    'The demo agent failed on purpose, because you sent /fail. Send any other message to go on.',
    { command: '/fail' },
  );
}

export async function playCrash(turn: Turn): Promise<never> {
  await turn.say('I begin an answer, and then the process of the agent ends with code 42.\n');
  turn.rememberOpenToolsAsFailed();
  await turn.session.save();
  turn.options.exit(42, 'parley-demo: crashing on purpose, because you sent /crash\n');
}

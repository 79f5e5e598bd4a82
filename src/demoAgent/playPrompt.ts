import { methods, type ContentBlock, type StopReason } from '@agentclientprotocol/sdk/unstable';
import { commands } from './commands';
import { attachmentNames, promptText, titleOf, typedCommand } from './promptText';
import type { Turn } from './turn';

/** Plays the scene that a prompt asks for and records both sides for a later `session/load`. */
export async function playPrompt(turn: Turn, blocks: readonly ContentBlock[]): Promise<StopReason> {
  const { session } = turn;
  const text = promptText(blocks);
  for (const content of blocks) {
    session.remember({ sessionUpdate: 'user_message_chunk', content });
  }
  session.countText(text);
  if (session.title === undefined) {
    session.rename(titleOf(text));
  }
  try {
    await session.save();
    await announce(turn);
    const stopReason = await playScene(turn, text, attachmentNames(blocks));
    await turn.showUsage();
    return stopReason;
  } catch (error) {
    if (turn.signal.aborted) {
      return 'cancelled';
    }
    throw error;
  } finally {
    turn.rememberOpenToolsAsFailed();
    await session.save();
  }
}

/** Tells the client the title and the time; not part of the conversation, so not remembered. */
async function announce({ client, session }: Turn): Promise<void> {
  await client.notify(methods.client.session.update, {
    sessionId: session.id,
    update: { sessionUpdate: 'session_info_update', title: session.title, updatedAt: session.updatedAt },
  });
}

async function playScene(turn: Turn, text: string, attachments: readonly string[]): Promise<StopReason> {
  if (attachments.length > 0) {
    await turn.say(`I have received ${attachments.join(', ')}.\n\n`);
  }
  const typed = typedCommand(text);
  const command = commands.find(({ name }) => name === typed?.name);
  if (command && typed) {
    await command.play(turn, typed.argument);
    return command.stopReason ?? 'end_turn';
  }
  await turn.say(fallbackAnswer(text, typed?.name));
  return 'end_turn';
}

function fallbackAnswer(text: string, unknownCommand: string | undefined): string {
  const names = commands.map(({ name }) => `\`/${name}\``).join(', ');
  const heard =
    unknownCommand === undefined
      ? `You wrote:\n\n${quote(text || '(nothing but attachments)')}\n\n`
      : `I know no command \`/${unknownCommand}\`.\n\n`;
  return `${heard}I am the Parley demo, a script and not an AI model, so I cannot answer that. Send \`/tour\` to see what \
Parley does, or one of these: ${names}.\n`;
}

function quote(text: string): string {
  const lines = text.slice(0, 500).split('\n');
  return lines.map((line) => `> ${line}`).join('\n');
}

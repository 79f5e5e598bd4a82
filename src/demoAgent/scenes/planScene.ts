import { methods, type PlanEntry } from '@agentclientprotocol/sdk/unstable';
import { askUser } from '../permission';
import { changeSetting, configOptions } from '../settings';
import type { Turn } from '../turn';

/** A list of steps in the plan of the client; `tick` finishes the current one and starts the next. */
export class StepList {
  private done = 0;

  constructor(
    private readonly turn: Turn,
    private readonly steps: readonly string[],
  ) {}

  async show(): Promise<void> {
    await this.turn.plan(this.steps.map((content, index) => this.entry(content, index)));
  }

  async tick(): Promise<void> {
    this.done += 1;
    await this.show();
  }

  private entry(content: string, index: number): PlanEntry {
    const priority = index === 0 ? 'high' : 'medium';
    if (index < this.done) {
      return { content, priority, status: 'completed' };
    }
    return { content, priority, status: index === this.done ? 'in_progress' : 'pending' };
  }
}

export async function playPlan(turn: Turn): Promise<void> {
  if (turn.session.settings.mode === 'plan') {
    await offerToLeavePlanMode(turn);
    return;
  }
  const names = ['Understand the request', 'Look at the code', 'Make the change', 'Check the result'];
  const steps = new StepList(turn, names);
  await turn.say('Here is a plan. I will tick off one step after another.\n\n');
  await steps.show();
  for (const name of names) {
    await turn.pause(900);
    await turn.say(`- ${name}: done.\n`);
    await steps.tick();
  }
  await turn.say('\nThat was a scripted plan; nothing was changed.\n');
}

async function offerToLeavePlanMode(turn: Turn): Promise<void> {
  const text = '## Plan\n\n1. Read `src/greet.js`.\n2. Give `greet` a default name.\n3. Run the tests.\n';
  await turn.think('Plan mode is on, so the plan has to be approved first.');
  const tool = await turn.startTool({
    title: 'Leave plan mode',
    kind: 'switch_mode',
    content: [{ type: 'content', content: { type: 'text', text } }],
  });
  const answer = await askUser(turn, { toolCallId: tool.id, kind: 'switch_mode' }, [
    { optionId: 'ask', kind: 'allow_once', name: 'Yes, ask before edits' },
    { optionId: 'auto', kind: 'allow_always', name: 'Yes, auto-accept edits' },
    { optionId: 'plan', kind: 'reject_once', name: 'No, keep planning' },
  ]);
  const settings = answer === 'plan' ? undefined : changeSetting(turn.session.settings, 'mode', answer);
  if (!settings) {
    await tool.update({ status: 'failed' });
    await turn.say('Still in plan mode. Send `/plan` again when you are ready.\n');
    return;
  }
  await turn.session.choose(settings);
  await notifyMode(turn);
  await tool.update({ status: 'completed' });
  await turn.say('Plan mode is off. Send `/edit` to see the edit.\n');
}

/** Not part of the conversation, so it is not remembered for the replay. */
async function notifyMode(turn: Turn): Promise<void> {
  const { id: sessionId, settings } = turn.session;
  await turn.client.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: 'current_mode_update', currentModeId: settings.mode },
  });
  await turn.client.notify(methods.client.session.update, {
    sessionId,
    update: {
      sessionUpdate: 'config_option_update',
      configOptions: configOptions(settings, turn.features.hasBooleanOptions),
    },
  });
}

import { randomUUID } from 'node:crypto';
import {
  CreateElicitationResponse,
  methods,
  type CreateElicitationRequest,
  type ElicitationSchema,
} from '@agentclientprotocol/sdk/unstable';
import type { Turn } from '../turn';

export async function playAsk(turn: Turn, argument: string): Promise<void> {
  const answer = argument.trim() === 'url' ? await askToOpenPage(turn) : await askForm(turn);
  await turn.say(answer);
}

const form: ElicitationSchema = {
  type: 'object',
  title: 'A few questions',
  properties: {
    name: {
      type: 'string',
      title: 'Your name',
      description: 'How should I call you?',
      minLength: 1,
      maxLength: 40,
    },
    language: {
      type: 'string',
      title: 'Favourite language',
      oneOf: [
        { const: 'js', title: 'JavaScript' },
        { const: 'py', title: 'Python' },
        { const: 'rs', title: 'Rust' },
      ],
      default: 'js',
    },
    agents: { type: 'integer', title: 'Agents in use', minimum: 0, maximum: 20, default: 1 },
    tabs: { type: 'boolean', title: 'Tabs rather than spaces', default: false },
    features: {
      type: 'array',
      title: 'What you want to try',
      items: { type: 'string', enum: ['Plans', 'Diffs', 'Terminals'] },
      default: ['Diffs'],
    },
  },
  required: ['name', 'language'],
};

async function askForm(turn: Turn): Promise<string> {
  if (!turn.features.showsForms) {
    return 'This client shows no forms, so I cannot ask you anything this way.\n';
  }
  return ask(turn, {
    mode: 'form',
    sessionId: turn.session.id,
    message: 'The demo would like to know a few things. Nothing leaves your computer.',
    requestedSchema: form,
  });
}

async function askToOpenPage(turn: Turn): Promise<string> {
  if (!turn.features.opensUrls) {
    return 'This client opens no pages for an agent, so I cannot ask you this way.\n';
  }
  const elicitationId = randomUUID();
  const answer = await ask(turn, {
    mode: 'url',
    sessionId: turn.session.id,
    elicitationId,
    url: 'https://agentclientprotocol.com/',
    message: 'May I show you the home page of the Agent Client Protocol?',
  });
  await turn.client.notify(methods.client.elicitation.complete, { elicitationId });
  return answer;
}

async function ask(turn: Turn, request: CreateElicitationRequest): Promise<string> {
  turn.signal.throwIfAborted();
  const response = await turn.client.request(methods.client.elicitation.create, request, turn.requestOptions);
  if (CreateElicitationResponse.isAccept(response)) {
    const content = JSON.stringify(response.content ?? {}, undefined, 2);
    return `Thank you. You answered:\n\n\`\`\`json\n${content}\n\`\`\`\n`;
  }
  return response.action === 'decline'
    ? 'You declined to answer, which is fine.\n'
    : 'You closed the question without an answer, which is fine.\n';
}

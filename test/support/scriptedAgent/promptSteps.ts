import { isJsonObject } from './wire';
import type { Json, JsonObject, Scenario, Step } from './steps';

/**
 * The steps of a prompt: a list after the word SCRIPT in its text, else those of the scenario, else a few words that
 * the agent knows (`say hello`, `ask`, `wait`), else an echo.
 */
export function promptSteps(scenario: Scenario, promptNumber: number, params: JsonObject): readonly Step[] {
  const text = promptText(params);
  const script = /\bSCRIPT\s*(\[[^]*\])/.exec(text)?.[1];
  if (script !== undefined) {
    // A boundary of the test support itself: scripts are written by tests.
    return JSON.parse(script) as Step[];
  }
  const lists = scenario.prompts ?? [];
  const steps = lists[Math.min(promptNumber, lists.length - 1)];
  return steps ?? wordSteps(text);
}

function wordSteps(text: string): readonly Step[] {
  const said = /^say\s+([^]+)$/.exec(text)?.[1];
  if (said !== undefined) {
    return [{ do: 'text', text: said }];
  }
  if (text === 'ask') {
    return [{ do: 'permission' }];
  }
  if (text === 'wait') {
    return [
      { do: 'text', text: 'waiting' },
      { do: 'waitFor', cancel: true },
    ];
  }
  return [{ do: 'text', text: `You said: ${text}` }];
}

function promptText(params: JsonObject): string {
  const blocks: Json = params.prompt ?? [];
  if (!Array.isArray(blocks)) {
    return '';
  }
  return blocks
    .map((block: Json) => (isJsonObject(block) && typeof block.text === 'string' ? block.text : ''))
    .join('');
}

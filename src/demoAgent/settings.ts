import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk/unstable';

/** What the user has chosen for one session. */
export interface Settings {
  readonly mode: string;
  readonly model: string;
  readonly pace: string;
  readonly showsThoughts: boolean;
}

export const defaultSettings: Settings = { mode: 'ask', model: 'fast', pace: 'natural', showsThoughts: true };

interface Choice {
  readonly value: string;
  readonly name: string;
  readonly description: string;
}

const modeChoices: readonly Choice[] = [
  { value: 'ask', name: 'Ask', description: 'Asks before it edits a file or runs a command.' },
  { value: 'auto', name: 'Auto-accept edits', description: 'Edits files and runs commands without asking.' },
  { value: 'plan', name: 'Plan', description: 'Says what it would do and changes nothing.' },
];

const modelChoices: readonly Choice[] = [
  { value: 'fast', name: 'Scripted fast', description: 'A script. There is no model behind it.' },
  { value: 'slow', name: 'Scripted slow', description: 'The same script at half the speed.' },
];

const paceChoices: readonly Choice[] = [
  { value: 'natural', name: 'Natural', description: 'Types a few words at a time.' },
  { value: 'quick', name: 'Quick', description: 'Four times as fast.' },
  { value: 'instant', name: 'Instant', description: 'No pauses at all.' },
];

export function modeState(settings: Settings): SessionModeState {
  return {
    currentModeId: settings.mode,
    availableModes: modeChoices.map(({ value, name, description }) => ({ id: value, name, description })),
  };
}

export function configOptions(settings: Settings, hasBooleans: boolean): SessionConfigOption[] {
  const options: SessionConfigOption[] = [
    select('mode', 'Mode', 'mode', settings.mode, modeChoices),
    select('model', 'Model', 'model', settings.model, modelChoices),
    select('pace', 'Pace', undefined, settings.pace, paceChoices),
  ];
  if (!hasBooleans) {
    return options;
  }
  const thoughts: SessionConfigOption = {
    type: 'boolean',
    id: 'thoughts',
    name: 'Show thoughts',
    description: 'Streams the scripted thoughts before an answer.',
    currentValue: settings.showsThoughts,
  };
  return [...options, thoughts];
}

/** The settings after a change, or undefined when there is no such option or value. */
export function changeSetting(settings: Settings, id: string, value: unknown): Settings | undefined {
  if (id === 'thoughts' && typeof value === 'boolean') {
    return { ...settings, showsThoughts: value };
  }
  if (id === 'mode' && isChoice(modeChoices, value)) {
    return { ...settings, mode: value };
  }
  if (id === 'model' && isChoice(modelChoices, value)) {
    return { ...settings, model: value };
  }
  if (id === 'pace' && isChoice(paceChoices, value)) {
    return { ...settings, pace: value };
  }
  return undefined;
}

/** How much to stretch every pause. */
export function paceFactor(settings: Settings): number {
  const factors: Record<string, number> = { natural: 1, quick: 0.25, instant: 0 };
  return (factors[settings.pace] ?? 1) * (settings.model === 'slow' ? 2 : 1);
}

function select(
  id: string,
  name: string,
  category: string | undefined,
  currentValue: string,
  choices: readonly Choice[],
): SessionConfigOption {
  return { type: 'select', id, name, category, currentValue, options: [...choices] };
}

function isChoice(choices: readonly Choice[], value: unknown): value is string {
  return choices.some((choice) => choice.value === value);
}

import {
  asArray,
  asBoolean,
  asObject,
  asObjects,
  asString,
  isObject,
  type JsonObject,
} from '../../shared/json';
import type { Choice, ConfigGroup, ConfigOption } from '../../shared/transcript/model';

/** How an option is set: options proper, or the older `modes` and `models` that some agents still have. */
export type ConfigMethod = 'session/set_config_option' | 'session/set_mode' | 'session/set_model';

export interface SessionConfig {
  readonly options: readonly ConfigOption[];
  /** For the options that are not set in the ordinary way. */
  readonly methods: Readonly<Record<string, ConfigMethod>>;
}

/** From the response to new, load, resume or fork. If an option says the same as `modes`, the option wins. */
export function readSessionConfig(response: unknown): SessionConfig {
  const { configOptions, modes, models } = asObject(response);
  const proper = readConfigOptions(configOptions);
  const legacy = [
    legacyOption('mode', 'Mode', modes, 'currentModeId', 'availableModes', 'id'),
    legacyOption('model', 'Model', models, 'currentModelId', 'availableModels', 'modelId'),
  ].filter((option) => option !== undefined);
  const options = withLegacyOptions(proper, legacy);
  const methods = legacy
    .filter((option) => options.includes(option))
    .map(({ id }) => [id, id === 'mode' ? 'session/set_mode' : 'session/set_model'] as const);
  return { options, methods: Object.fromEntries(methods) };
}

/** Agents that have both name only the proper ones when something changes. */
export function withLegacyOptions(
  proper: readonly ConfigOption[],
  legacy: readonly ConfigOption[],
): readonly ConfigOption[] {
  const missing = legacy.filter(
    ({ id }) => !proper.some((option) => option.category === id || option.id === id),
  );
  const isMode = ({ id }: ConfigOption): boolean => id === 'mode';
  return [...missing.filter(isMode), ...proper, ...missing.filter((option) => !isMode(option))];
}

/** Options of an unknown type are left out: there is no telling how to set them. */
export function readConfigOptions(value: unknown): readonly ConfigOption[] {
  return asObjects(value).flatMap((option) => {
    const id = asString(option.id);
    const input = readInput(option);
    if (id === undefined || input === undefined) {
      return [];
    }
    return [
      {
        id,
        name: asString(option.name) ?? id,
        description: asString(option.description),
        category: asString(option.category),
        input,
      },
    ];
  });
}

function readInput(option: JsonObject): ConfigOption['input'] | undefined {
  const type = asString(option.type) ?? 'select';
  if (type === 'boolean') {
    return { type: 'boolean', value: asBoolean(option.currentValue) ?? false };
  }
  if (type !== 'select') {
    return undefined;
  }
  return { type: 'select', value: asString(option.currentValue) ?? '', groups: readGroups(option.options) };
}

function readGroups(value: unknown): readonly ConfigGroup[] {
  const items = asObjects(value);
  if (items.some((item) => Array.isArray(item.options))) {
    return items.map((group) => ({
      name: asString(group.name) ?? asString(group.group),
      values: readChoices(group.options, 'value'),
    }));
  }
  return [{ name: undefined, values: readChoices(value, 'value') }];
}

function readChoices(value: unknown, key: string): readonly Choice[] {
  return asArray(value).flatMap((item) => {
    const id = isObject(item) ? asString(item[key]) : undefined;
    if (id === undefined || !isObject(item)) {
      return [];
    }
    return [{ value: id, title: asString(item.name) ?? id, description: asString(item.description) }];
  });
}

function legacyOption(
  id: string,
  name: string,
  value: unknown,
  currentKey: string,
  listKey: string,
  idKey: string,
): ConfigOption | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const values = readChoices(value[listKey], idKey);
  if (values.length === 0) {
    return undefined;
  }
  return {
    id,
    name,
    description: undefined,
    category: id,
    input: {
      type: 'select',
      value: asString(value[currentKey]) ?? '',
      groups: [{ name: undefined, values }],
    },
  };
}

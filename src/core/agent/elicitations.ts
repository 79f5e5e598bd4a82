import {
  asArray,
  asBoolean,
  asNumber,
  asObject,
  asObjects,
  asString,
  type JsonObject,
} from '../../shared/json';
import type { Choice, ElicitationRequest, FormField, FormInput } from '../../shared/transcript/model';

/** Undefined for a mode this client does not serve. */
export function readElicitation(params: JsonObject): ElicitationRequest | undefined {
  if (params.mode === 'url') {
    const url = asString(params.url);
    return url === undefined ? undefined : { mode: 'url', url };
  }
  if (params.mode !== 'form' && params.mode !== undefined) {
    return undefined;
  }
  const schema = asObject(params.requestedSchema);
  const required = asArray(schema.required);
  const fields = Object.entries(asObject(schema.properties)).map(([key, property]): FormField => {
    const described = asObject(property);
    return {
      key,
      title: asString(described.title) ?? key,
      description: asString(described.description),
      isRequired: required.includes(key),
      input: readInput(described),
    };
  });
  return { mode: 'form', title: asString(schema.title), fields };
}

/** Types are an open union: what is not known is asked for as text. */
function readInput(property: JsonObject): FormInput {
  const type = asString(property.type);
  if (type === 'boolean') {
    return { type: 'boolean', value: asBoolean(property.default) };
  }
  if (type === 'number' || type === 'integer') {
    return {
      type: 'number',
      isInteger: type === 'integer',
      minimum: asNumber(property.minimum),
      maximum: asNumber(property.maximum),
      value: asNumber(property.default),
    };
  }
  if (type === 'array') {
    const items = asObject(property.items);
    return {
      type: 'choices',
      choices: readChoices(items.enum, items.anyOf ?? items.oneOf),
      minItems: asNumber(property.minItems),
      maxItems: asNumber(property.maxItems),
      value: asArray(property.default).filter((item) => typeof item === 'string'),
    };
  }
  const choices = readChoices(property.enum, property.oneOf ?? property.anyOf);
  if (choices.length > 0) {
    return { type: 'choice', choices, value: asString(property.default) };
  }
  return {
    type: 'text',
    format: asString(property.format),
    minLength: asNumber(property.minLength),
    maxLength: asNumber(property.maxLength),
    pattern: asString(property.pattern),
    value: asString(property.default),
  };
}

function readChoices(plain: unknown, titled: unknown): readonly Choice[] {
  const fromPlain = asArray(plain)
    .filter((value) => typeof value === 'string')
    .map((value) => ({ value, title: value, description: undefined }));
  const fromTitled = asObjects(titled).flatMap((choice) => {
    const value = asString(choice.const);
    if (value === undefined) {
      return [];
    }
    return [{ value, title: asString(choice.title) ?? value, description: asString(choice.description) }];
  });
  return [...fromPlain, ...fromTitled];
}

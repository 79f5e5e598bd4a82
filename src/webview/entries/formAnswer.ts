import { strings } from '../strings';
import type { FormAnswer, FormField } from '../../shared/transcript/model';
import { isDate, isDateTime, localDateTime, zonedDateTime } from './dateTime';
import { matchesPattern } from './formPattern';

/** What stands in the inputs: numbers as typed, so that a half-typed one can be judged. */
export type FormValues = Readonly<Record<string, string | boolean | readonly string[]>>;

export function initialValues(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map((field) => [field.key, initialValue(field)]));
}

function initialValue({ input }: FormField): string | boolean | readonly string[] {
  switch (input.type) {
    case 'boolean':
      return input.value ?? false;
    case 'choices':
      return input.value;
    case 'number':
      return input.value === undefined ? '' : String(input.value);
    case 'text':
      return input.format === 'date-time' ? localDateTime(input.value ?? '') : (input.value ?? '');
    case 'choice':
      return input.value ?? '';
  }
}

/** What is wrong, in words, by the key of the field. */
export type FormProblems = ReadonlyMap<string, string>;

export function problemsOf(fields: readonly FormField[], values: FormValues): FormProblems {
  return new Map(
    fields.flatMap((field): [string, string][] => {
      const problem = problemOf(field, values[field.key]);
      return problem === undefined ? [] : [[field.key, problem]];
    }),
  );
}

function problemOf(field: FormField, value: FormValues[string] | undefined): string | undefined {
  const { input } = field;
  if (input.type === 'boolean') {
    return undefined;
  }
  if (input.type === 'choices') {
    const count = typeof value === 'object' ? value.length : 0;
    const minimum = Math.max(input.minItems ?? 0, field.isRequired ? 1 : 0);
    if (count < minimum) {
      return strings.chooseAtLeast(minimum);
    }
    return input.maxItems !== undefined && count > input.maxItems
      ? strings.chooseAtMost(input.maxItems)
      : undefined;
  }
  const text = typeof value === 'string' ? value : '';
  if (text.trim() === '') {
    return field.isRequired ? strings.required : undefined;
  }
  if (input.type === 'number') {
    return problemOfNumber(input, text);
  }
  return input.type === 'text' ? problemOfText(input, text) : undefined;
}

function problemOfNumber(
  input: {
    readonly isInteger: boolean;
    readonly minimum: number | undefined;
    readonly maximum: number | undefined;
  },
  text: string,
): string | undefined {
  const number = Number(text);
  if (!Number.isFinite(number)) {
    return strings.notANumber;
  }
  if (input.isInteger && !Number.isInteger(number)) {
    return strings.notWhole;
  }
  if (input.minimum !== undefined && number < input.minimum) {
    return strings.atLeast(input.minimum);
  }
  return input.maximum !== undefined && number > input.maximum ? strings.atMost(input.maximum) : undefined;
}

function problemOfText(
  input: {
    readonly format: string | undefined;
    readonly minLength: number | undefined;
    readonly maxLength: number | undefined;
    readonly pattern: string | undefined;
  },
  text: string,
): string | undefined {
  if (input.minLength !== undefined && text.length < input.minLength) {
    return strings.longerThan(input.minLength);
  }
  if (input.maxLength !== undefined && text.length > input.maxLength) {
    return strings.shorterThan(input.maxLength);
  }
  if (input.pattern !== undefined && !matchesPattern(input.pattern, text)) {
    return strings.wrongPattern(input.pattern);
  }
  return problemOfFormat(input.format, text);
}

function problemOfFormat(format: string | undefined, text: string): string | undefined {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text) ? undefined : strings.notAnEmail;
    case 'uri':
      return URL.canParse(text) ? undefined : strings.notAUrl;
    case 'date':
      return isDate(text) ? undefined : strings.notADate;
    case 'date-time':
      return isDateTime(text) ? undefined : strings.notADateTime;
    default:
      return undefined;
  }
}

/** Fields that were left empty are left out: an empty string is an answer, too. */
export function answerOf(fields: readonly FormField[], values: FormValues): FormAnswer {
  // From entries: an assignment to a field named `__proto__` would set the prototype.
  return Object.fromEntries(
    fields.flatMap((field): [string, FormAnswer[string]][] => {
      const value = values[field.key];
      if (value === undefined || value === '') {
        return [];
      }
      return [[field.key, answerTo(field, value)]];
    }),
  );
}

function answerTo({ input }: FormField, value: FormValues[string]): FormAnswer[string] {
  if (input.type === 'number') {
    return Number(value);
  }
  const isDateTimeText = input.type === 'text' && input.format === 'date-time' && typeof value === 'string';
  return isDateTimeText ? zonedDateTime(value) : value;
}

import type { Json } from './steps';

/** What the placeholders of a step stand for. */
export interface Placeholders {
  readonly sessionId: string;
  readonly requestId: string | number | null;
  readonly saved: ReadonlyMap<string, Json>;
}

/**
 * The same value with the placeholders in its strings replaced. A string that is nothing but one placeholder becomes
 * the value itself, so that numbers stay numbers.
 */
export function fillIn<T>(value: T, placeholders: Placeholders): T {
  // The shape stays the same, which the compiler cannot know of JSON.
  return fill(value, placeholders) as T;
}

const PLACEHOLDER = /\$(sessionId|requestId|saved\.[\w.]+)/g;

function fill(value: unknown, placeholders: Placeholders): unknown {
  if (typeof value === 'string') {
    return fillString(value, placeholders);
  }
  if (Array.isArray(value)) {
    return value.map((item) => fill(item, placeholders));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, placeholders)]));
  }
  return value;
}

function fillString(text: string, placeholders: Placeholders): unknown {
  const [whole] = text.match(PLACEHOLDER) ?? [];
  if (whole === text) {
    return lookUp(whole.slice(1), placeholders);
  }
  return text.replace(PLACEHOLDER, (_, name: string) => String(lookUp(name, placeholders)));
}

function lookUp(name: string, { sessionId, requestId, saved }: Placeholders): unknown {
  if (name === 'sessionId') {
    return sessionId;
  }
  if (name === 'requestId') {
    return requestId;
  }
  const [, key = '', ...path] = name.split('.');
  return path.reduce<unknown>(memberOf, saved.get(key));
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

import { isObject } from '../../shared/json';

/** Where secrets travel: environments, headers, and what is sent to sign in. */
const secretKeys: ReadonlySet<string> = new Set([
  'env',
  'headers',
  'api-key',
  'apiKey',
  'gateway',
  'token',
  'authorization',
]);

/** A copy that is fit for a log. */
export function redacted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(redacted);
  }
  if (!isObject(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, secretKeys.has(key) ? '(redacted)' : redacted(item)]),
  );
}

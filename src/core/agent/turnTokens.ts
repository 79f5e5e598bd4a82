import { asNumber, asObject } from '../../shared/json';

/**
 * The tokens of one turn, as the answer to its prompt tells them; `_meta.quota` is the older form. They say
 * nothing about the context, which has its own update.
 */
export function readTurnTokens(response: unknown): number | undefined {
  const { usage, _meta: meta } = asObject(response);
  return countOf(usage) ?? countOf(asObject(asObject(meta).quota).token_count);
}

function countOf(value: unknown): number | undefined {
  const { totalTokens, inputTokens, outputTokens } = asObject(value);
  const total = asNumber(totalTokens);
  if (total !== undefined) {
    return total;
  }
  const input = asNumber(inputTokens);
  const output = asNumber(outputTokens);
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
}

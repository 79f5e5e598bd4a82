const MAX_PATTERN_CHARS = 200;
const MAX_TEXT_CHARS = 256;
/** The time to match grows with the length of the text to the power of these. */
const MAX_REPETITIONS = 3;

/**
 * The pattern is the agent's, and some take for ever. Such a pattern, one that is no regular expression, or a long
 * text is not judged here: the agent has to look at its answer anyway.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  if (text.length > MAX_TEXT_CHARS || !isQuick(pattern)) {
    return true;
  }
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/** Only a repeated group can take exponential time. Some harmless ones are refused, too. */
function isQuick(pattern: string): boolean {
  const repetitions = pattern.match(/[*+{]/g)?.length ?? 0;
  return pattern.length <= MAX_PATTERN_CHARS && repetitions <= MAX_REPETITIONS && !/\)[*+{]/.test(pattern);
}

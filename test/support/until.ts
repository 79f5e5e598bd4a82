/** Waits for a condition instead of a time; says what it waited for when it gives up. */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  limitMs = 4000,
): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await isTrue())) {
    if (Date.now() > end) {
      throw new Error(`Waited in vain: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

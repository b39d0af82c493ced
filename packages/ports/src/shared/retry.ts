/**
 * The answer of `work`, which is repeated as long as `again` lets it.
 * @param again gets the error and the number of tries; throws to give up, else resolves when `work` may be tried again
 */
export async function retry<T>(
  work: () => Promise<T>, again: (error: unknown, tries: number) => Promise<void> | void,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      await again(error, tries);
    }
  }
}

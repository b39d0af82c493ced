const limit = 200;

/** All items of a list in pages, oldest first. */
export async function listAll<T>(
  list: (input: { query: { limit: number; offset: number } }) => Promise<{ items: T[]; total: number }>,
): Promise<T[]> {
  const found: T[] = [];
  for (;;) {
    const { items } = await list({ query: { limit, offset: found.length } });
    found.push(...items);
    if (items.length < limit) return found.reverse();
  }
}

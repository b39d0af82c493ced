import type { Pool } from 'pg';
import { bulkParameter, type BulkRow } from '../bulk-rows';
import { retried } from '../transaction';

/**
 * For each row whether a statement finds it.
 * @param text returns `asked` of the rows that it finds: a column of type integer, the index of the row in the list
 */
export async function areFound(
  pool: Pool, { name, text }: { name: string; text: string }, rows: readonly BulkRow[],
): Promise<boolean[]> {
  if (rows.length === 0) return [];
  const values = [bulkParameter(rows.map((row, asked) => ({ asked, ...row })))];
  const found = await retried(() => pool.query<{ asked: number }>({ name, text, values }));
  const places = new Set(found.rows.map(({ asked }) => asked));
  return rows.map((_, place) => places.has(place));
}

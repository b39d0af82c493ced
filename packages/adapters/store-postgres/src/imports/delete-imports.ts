import type { Pool } from 'pg';
import { inTransaction } from '../transaction';

/** Rows deleted in one transaction. */
const rowsPerRound = 10_000;

/**
 * Deletes an import, its rows first and some of them at a time, so that no transaction is long.
 * @param older a condition that ends with the name of the column of its age
 * @returns imports that were deleted or whose rows are being deleted
 */
export async function deleteImports(pool: Pool, older: string, olderThanMs: number): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows: [found] } = await client.query<{ id: string }>(
      `SELECT id FROM bulk_imports WHERE ${older} < now() - $1::float8 * interval '1 millisecond'
       LIMIT 1 FOR UPDATE SKIP LOCKED`, [olderThanMs],
    );
    if (!found) return 0;
    const { rowCount } = await client.query(
      `DELETE FROM bulk_import_rows WHERE import_id = $1 AND line IN (
         SELECT line FROM bulk_import_rows WHERE import_id = $1 LIMIT ${rowsPerRound})`, [found.id],
    );
    if ((rowCount ?? 0) < rowsPerRound) await client.query('DELETE FROM bulk_imports WHERE id = $1', [found.id]);
    return 1;
  });
}

import type { Transaction } from '../config-client/config-client';

/**
 * Makes a task due with the transaction that needs it: it is there exactly when the row is there that it is about. A task that
 * runs becomes due again when its run ends.
 */
export async function wakeTask(
  tx: Transaction, { worker, key, tenant, dueInMs = 0 }: { worker: string; key: string; tenant: string; dueInMs?: number },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO background_tasks AS t (worker, key, tenant, due_at, free_at)
    SELECT ${worker}, ${key}, ${tenant}, due, due FROM (SELECT now() + ${dueInMs}::float8 * interval '1 millisecond' AS due) d
    ON CONFLICT (worker, key) DO UPDATE SET
      woken = t.owner IS NOT NULL,
      due_at = CASE WHEN t.owner IS NULL THEN least(t.due_at, excluded.due_at) ELSE t.due_at END,
      free_at = CASE WHEN t.owner IS NULL THEN least(t.free_at, excluded.free_at) ELSE t.free_at END`;
}

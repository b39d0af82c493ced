import { type Fence, FenceLost } from '@sluice/ports';
import type { PoolClient } from 'pg';
import type { Transaction } from '../config-client/config-client';

/**
 * Milliseconds that a fenced transaction may wait for its process between two statements. A process that is frozen in one loses
 * it, so that its lock on the task does not keep another process from taking over.
 */
const idleMs = 5_000;

/**
 * To be called first in a transaction that writes for a run of a task. The row stays locked against a claim until the transaction
 * ends, so that nothing is written beside another run. Renewals of the lease pass, because they change no key. @throws FenceLost
 */
export async function assertFence(client: Pick<PoolClient, 'query'>, fence: Fence): Promise<void> {
  const { worker, key, epoch } = fence;
  const sql = `
    SELECT set_config('idle_in_transaction_session_timeout', $4, true) FROM background_tasks
    WHERE worker = $1 AND key = $2 AND epoch = $3 AND owner IS NOT NULL FOR KEY SHARE`;
  const { rowCount } = await client.query(sql, [worker, key, String(epoch), String(idleMs)]);
  if (rowCount === 0) throw new FenceLost(fence);
}

/** The same, in a transaction of Prisma. */
export async function assertFenceOf(tx: Transaction, fence: Fence): Promise<void> {
  const { worker, key, epoch } = fence;
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT set_config('idle_in_transaction_session_timeout', ${String(idleMs)}, true) FROM background_tasks
    WHERE worker = ${worker} AND key = ${key} AND epoch = ${epoch} AND owner IS NOT NULL FOR KEY SHARE`;
  if (rows.length === 0) throw new FenceLost(fence);
}

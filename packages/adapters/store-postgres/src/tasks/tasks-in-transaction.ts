import type { NewTask } from '@sluice/ports';
import type { Transaction } from '../config-client/config-client';

/**
 * Adds a task in the transaction that stores what it is about. One that is there is due now; one that runs is due again at its
 * end, also when its run says that there is nothing more to do.
 */
export async function addTask(tx: Transaction, { worker, key, tenant = '' }: Omit<NewTask, 'dueInMs'>): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO background_tasks AS t (worker, key, tenant, due_at, free_at) VALUES (${worker}, ${key}, ${tenant}, now(), now())
    ON CONFLICT (worker, key) DO UPDATE SET woken = t.owner IS NOT NULL,
      due_at = CASE WHEN t.owner IS NULL THEN least(t.due_at, excluded.due_at) ELSE t.due_at END,
      free_at = CASE WHEN t.owner IS NULL THEN least(t.free_at, excluded.free_at) ELSE t.free_at END`;
}

/** Makes a task due at once, in the transaction that stores why. One that runs becomes due again when its run ends. */
export async function wakeTask(tx: Transaction, { worker, key, tenant = '' }: Omit<NewTask, 'dueInMs'>): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO background_tasks AS t (worker, key, tenant, due_at, free_at) VALUES (${worker}, ${key}, ${tenant}, now(), now())
    ON CONFLICT (worker, key) DO UPDATE SET
      woken = t.owner IS NOT NULL,
      due_at = CASE WHEN t.owner IS NULL THEN least(t.due_at, excluded.due_at) ELSE t.due_at END,
      free_at = CASE WHEN t.owner IS NULL THEN least(t.free_at, excluded.free_at) ELSE t.free_at END`;
}

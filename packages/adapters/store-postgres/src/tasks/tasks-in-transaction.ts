import type { NewTask } from '@sluice/ports';
import type { Transaction } from '../config/config-client';

/** Adds a task in the transaction that stores what it is about. One that is there stays as it is. */
export async function addTask(tx: Transaction, { worker, key, tenant = '' }: Omit<NewTask, 'dueInMs'>): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO background_tasks (worker, key, tenant, due_at, free_at) VALUES (${worker}, ${key}, ${tenant}, now(), now())
    ON CONFLICT (worker, key) DO NOTHING`;
}

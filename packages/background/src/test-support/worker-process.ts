import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '@sluice/ports';
import { createMetrics } from '@sluice/service-kit';
import { assertFence, createPool, createTaskStore, inTransaction } from '@sluice/store-postgres';
import { BackgroundRunner } from '../background-runner';
import { defineWorker } from '../worker';
import { createMonotonicClock } from '@sluice/service-kit';

/**
 * A process with one worker, which a test kills or freezes. Each run writes a few notes under its fence. Arguments: the database,
 * the name of the process.
 */
const [databaseUrl = '', name = ''] = process.argv.slice(3);
const pool = createPool(databaseUrl);
const worker = defineWorker({
  name: 'test.notes',
  schedule: { every: 5 },
  leaseMs: 1_000,
  run: async ({ fence }) => {
    for (let note = 0; note < 10; note += 1) {
      await inTransaction(pool, async (client) => {
        await assertFence(client, fence);
        await client.query('INSERT INTO notes (process, epoch) VALUES ($1, $2)', [name, String(fence.epoch)]);
      });
      await sleep(10);
    }
  },
});
const runner = new BackgroundRunner({
  tasks: createTaskStore(pool), workers: [worker], owner: name, logger: silentLogger,
  metrics: createMetrics({ service: 'test' }), monotonicNow: createMonotonicClock(), pollMs: 50,
});
runner.start();
process.on('disconnect', () => process.exit(0));

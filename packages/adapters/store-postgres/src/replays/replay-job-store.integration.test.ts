import { replayJobConformance } from '@sluice/ports/testing';
import { preparedDatabase } from '@sluice/testkit';
import { createPool } from '../create-pool';
import { createPrisma } from '../create-prisma';
import { createEventIndex } from '../event-index/create-event-index';
import { migrate } from '../migrations/migrate';
import { createRunStore } from '../run/create-run-store';
import { createTaskStore } from '../tasks/create-task-store';
import { createReplayJobStore } from './create-replay-job-store';

replayJobConformance('Postgres', async () => {
  const database = await preparedDatabase('migrated', migrate);
  const pool = createPool(database.url);
  const prisma = createPrisma(pool);
  return {
    jobs: createReplayJobStore(pool, prisma), runs: createRunStore(pool), index: createEventIndex(pool),
    tasks: createTaskStore(pool),
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
      await database.drop();
    },
  };
});

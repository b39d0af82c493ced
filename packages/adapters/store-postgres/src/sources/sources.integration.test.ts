import { crmJournalConformance, type SourceLab, sourceReadConformance } from '@sluice/ports/testing';
import { preparedDatabase } from '@sluice/testkit';
import { createConfigStore } from '../config/create-config-store';
import { createPool } from '../create-pool';
import { createPrisma } from '../create-prisma';
import { migrate } from '../migrations/migrate';
import { createTaskStore } from '../tasks/create-task-store';
import { createCrmJournalStore } from './create-crm-journal-store';
import { createSourceReadStore } from './create-source-read-store';

async function postgresLab(): Promise<SourceLab> {
  const database = await preparedDatabase('migrated', migrate);
  const pool = createPool(database.url);
  const prisma = createPrisma(pool);
  return {
    config: createConfigStore(prisma), reads: createSourceReadStore(pool), journal: createCrmJournalStore(pool),
    tasks: createTaskStore(pool),
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
      await database.drop();
    },
  };
}

sourceReadConformance('Postgres', postgresLab);
crmJournalConformance('Postgres', postgresLab);

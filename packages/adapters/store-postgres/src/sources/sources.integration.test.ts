import { crmJournalConformance, LabConnector, type SourceLab, sourceReadConformance } from '@sluice/ports/testing';
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

test('a request to read has the time of the database, whatever the clock of the process says', async () => {
  const lab = await postgresLab();
  const connector = await LabConnector.create(lab, ['poller', 'list']);
  // Of the clocks of the process only the date.
  jest.useFakeTimers({ now: Date.now() + 3_600_000, doNotFake: [
    'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval',
    'setTimeout', 'clearTimeout',
  ] });
  await lab.config.sources.requestPoll(connector.id, 'list');
  jest.useRealTimers();
  const { pollRequestedAt } = (await lab.reads.find(connector.ref('list')))!;
  expect(pollRequestedAt!.getTime()).toBeLessThan(Date.now() + 1_800_000);
  await lab.close();
});

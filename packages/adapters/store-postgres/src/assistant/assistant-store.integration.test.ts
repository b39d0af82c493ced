import { assistantStoreConformance } from '@sluice/ports/testing';
import { preparedDatabase } from '@sluice/testkit';
import { createPool } from '../create-pool';
import { migrate } from '../migrations/migrate';
import { createAssistantStore } from './create-assistant-store';

assistantStoreConformance('Postgres', async () => {
  const database = await preparedDatabase('migrated', migrate);
  const [pool, other] = [createPool(database.url), createPool(database.url)];
  return {
    store: createAssistantStore(pool),
    other: createAssistantStore(other),
    close: async () => {
      await Promise.all([pool.end(), other.end()]);
      await database.drop();
    },
  };
});

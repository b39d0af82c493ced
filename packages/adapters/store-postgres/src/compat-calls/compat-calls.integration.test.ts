import { randomUUID } from 'node:crypto';
import { compatCallsConformance } from '@sluice/ports/testing';
import { preparedDatabase, type TestDatabase } from '@sluice/testkit';
import { createPool } from '../create-pool';
import { migrate } from '../migrations/migrate';
import { createCompatCallStore } from './create-compat-call-store';

let database: TestDatabase;
beforeAll(async () => { database = await preparedDatabase('migrated', migrate); });
afterAll(() => database.drop());

compatCallsConformance('Postgres', async () => {
  const pool = createPool(database.url);
  return { store: createCompatCallStore(pool), connectorId: randomUUID(), close: () => pool.end() };
});

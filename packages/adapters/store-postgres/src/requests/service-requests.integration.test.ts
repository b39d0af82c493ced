import { serviceRequestConformance } from '@sluice/ports/testing';
import { preparedDatabase, type TestDatabase } from '@sluice/testkit';
import { createPool } from '../create-pool';
import { migrate } from '../migrations/migrate';
import { createServiceRequestStore } from './create-service-request-store';

let database: TestDatabase;
beforeAll(async () => { database = await preparedDatabase('migrated', migrate); });
afterAll(() => database.drop());

serviceRequestConformance('Postgres', async () => {
  const pool = createPool(database.url);
  await pool.query('DELETE FROM service_requests');
  return { store: createServiceRequestStore(pool), close: () => pool.end() };
});

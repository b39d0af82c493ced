import { randomUUID } from 'node:crypto';
import { preparedDatabase, type TestDatabase } from '@sluice/testkit';
import { createPool } from '../create-pool';
import { createPrisma } from '../create-prisma';
import { migrate } from '../migrations/migrate';
import { createConfigStore } from './create-config-store';

let database: TestDatabase;
beforeAll(async () => {
  database = await preparedDatabase('migrated', migrate);
});
afterAll(() => database.drop());

/**
 * What deadlocked is run again, so the conformance suite cannot see it; the caller waits a second for it, and gives up after
 * some.
 */
it('locks an organization and its connectors in an order without deadlocks', async () => {
  const pool = createPool(database.url);
  const prisma = createPrisma(pool);
  const { accounts, connectors, organizations, credentials, drafts } = createConfigStore(prisma);
  const account = await accounts.create({
    email: `${randomUUID()}@shop.example`,
    passwordHash: 'x',
    organizationName: 'Shop',
    tier: 'enterprise',
  });
  if (!account.ok) throw new Error(account.reason);
  const { organizationId } = account;
  const created = await connectors.create({
    organizationId,
    name: 'Shop',
    mode: 'live',
    credentialId: null,
    createdById: null,
    apiKey: null,
    connectorsLimit: null,
  });
  if (!created.ok) throw new Error(created.reason);
  const { id } = created.connector;
  const publish = () =>
    drafts.publish({
      connectorId: id,
      config: {},
      flows: [],
      sources: [],
      baseVersion: 0,
      changeSummary: null,
      publishedBy: null,
      eventSourcesLimit: null,
      writeCapLimit: 500,
    });
  const connectPortal = () =>
    credentials.create({
      id: randomUUID(),
      organizationId,
      name: 'P',
      credentialType: 'crm_oauth',
      portalId: '1',
      sealed: 's',
      createdById: null,
      portalsLimit: null,
    });
  await Promise.all(
    Array.from({ length: 4 }, () => [
      connectors.update(organizationId, id, { name: 'B', updatedById: null }),
      organizations.update(organizationId, { publishReview: true }),
      connectors.createKey(id, { label: 'k', hash: randomUUID(), createdById: null }),
      publish(),
      connectPortal(),
      drafts.get(id, {}),
    ]).flat(),
  );
  // A session hands in its counts at the latest when it ends.
  await prisma.$disconnect();
  await pool.end();
  const after = createPool(database.url);
  const { rows } = await after.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
  await after.end();
  expect(Number(rows[0].deadlocks)).toBe(0);
});

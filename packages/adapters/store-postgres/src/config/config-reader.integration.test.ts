import { randomUUID } from 'node:crypto';
import type { FlowIndexEntry } from '@sluice/contracts';
import { CredentialRefreshBusy, type Keyring } from '@sluice/ports';
import { configReaderConformance } from '@sluice/ports/testing';
import { preparedDatabase, type TestDatabase } from '@sluice/testkit';
import { createPool } from '../create-pool';
import { createPrisma } from '../create-prisma';
import { migrate } from '../migrations/migrate';
import { createConfigReader } from './create-config-reader';
import { createConfigStore } from './create-config-store';

let database: TestDatabase;
beforeAll(async () => {
  database = await preparedDatabase('migrated', migrate);
});
afterAll(() => database.drop());

/** Seals by binding the context, as the real one does, without hiding anything. */
const openKeyring: Keyring = {
  encrypt: (plaintext, context) => JSON.stringify([context, plaintext]),
  decrypt: (sealed, context) => {
    const [bound, plaintext] = JSON.parse(sealed) as [string, string];
    if (bound !== context) throw new Error(`sealed for ${bound}`);
    return plaintext;
  },
};

test('a credential that is locked by a refresh is not waited for any longer than asked', async () => {
  const pool = createPool(database.url);
  const prisma = createPrisma(pool);
  const store = createConfigStore(prisma);
  const account = await store.accounts.create(
    { email: `${randomUUID()}@shop.example`, passwordHash: 'x', organizationName: 'Shop', tier: 'enterprise' },
  );
  if (!account.ok) throw new Error(account.reason);
  const id = randomUUID();
  const sealed = openKeyring.encrypt(JSON.stringify({ access_token: 'a', refresh_token: 'r' }), `credential:${id}`);
  await store.credentials.create({
    id, organizationId: account.organizationId, name: 'portal', credentialType: 'crm_oauth', portalId: '1', createdById: null,
    portalsLimit: null, sealed,
  });
  const [slow, hasty] = [createConfigReader(prisma, openKeyring), createConfigReader(prisma, openKeyring, { refreshWaitMs: 50 })];
  let finish = (): void => undefined;
  let begun = (): void => undefined;
  const asked = new Promise<void>((resolve) => { begun = resolve; });
  const fresh = { accessToken: 'b', refreshToken: 'r2', expiresInS: 60 };
  const refreshing = slow.refreshCrmAccess(id, 'a', () => {
    begun();
    return new Promise((resolve) => { finish = () => resolve(fresh); });
  });
  await asked;
  await expect(hasty.refreshCrmAccess(id, 'a', async () => fresh)).rejects.toBeInstanceOf(CredentialRefreshBusy);
  finish();
  expect(await refreshing).toMatchObject({ accessToken: 'b' });
  expect(await hasty.refreshCrmAccess(id, 'a', async () => null)).toMatchObject({ accessToken: 'b' });
  await prisma.$disconnect();
  await pool.end();
});

configReaderConformance('the config reader on Postgres', async () => {
  const pool = createPool(database.url);
  const prisma = createPrisma(pool);
  const store = createConfigStore(prisma);
  const account = await store.accounts.create({
    email: `${randomUUID()}@shop.example`,
    passwordHash: 'x',
    organizationName: 'Shop',
    tier: 'enterprise',
  });
  if (!account.ok) throw new Error(account.reason);
  const { organizationId } = account;
  const keyHash = randomUUID();
  const created = await store.connectors.create({
    organizationId,
    name: 'Shop',
    mode: 'live',
    credentialId: null,
    createdById: null,
    connectorsLimit: null,
    apiKey: { label: 'k', hash: keyHash, createdById: null },
  });
  if (!created.ok) throw new Error(created.reason);
  const { id } = created.connector;
  const config = {
    version: '3.0', sources: [{ name: 'hook', type: 'webhook', config: {} }], flows: [], entities: [],
    ingress_profile: { auth_header: 'X-Key', routes: [{ path: 'orders', event: 'order' }] },
  };
  await store.drafts.get(id, config);
  const flows: FlowIndexEntry[] = [
    { name: 'orders', source: 'shop', source_type: 'event_api', event_type: 'order.*', enabled: true },
  ];
  await store.drafts.publish({
    connectorId: id,
    config,
    flows,
    sources: [{ name: 'hook', type: 'webhook', sealed: 'sealed' }],
    baseVersion: 0,
    changeSummary: null,
    publishedBy: null,
    eventSourcesLimit: null,
    writeCapLimit: 500,
  });
  const credential = async (tokens: object) => {
    const credentialId = randomUUID();
    await store.credentials.create({
      id: credentialId,
      organizationId,
      name: 'portal',
      credentialType: 'crm_oauth',
      portalId: '1',
      createdById: null,
      portalsLimit: null,
      sealed: openKeyring.encrypt(JSON.stringify(tokens), `credential:${credentialId}`),
    });
    return { id: credentialId };
  };
  const erp = randomUUID();
  await store.credentials.create({
    id: erp,
    organizationId,
    name: 'erp',
    allowedHosts: ['erp.example'],
    credentialType: 'api_key',
    createdById: null,
    portalsLimit: null,
    sealed: openKeyring.encrypt(JSON.stringify({ value: 'secret' }), `credential:${erp}`),
  });
  return {
    organization: { id: organizationId },
    reader: createConfigReader(prisma, openKeyring),
    connector: { id, keyHash, config, flows },
    refreshable: { ...(await credential({ access_token: 'access-1', refresh_token: 'refresh-1' })), portalId: '1' },
    fixed: await credential({ access_token: 'access-1' }),
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
});

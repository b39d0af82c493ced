import { createCrmHttpClient } from '@sluice/crm-http';
import { createCrmSimulator } from '@sluice/crm-simulator';
import type { ConnectorChange } from '@sluice/contracts';
import { allTopics, connectorChanges } from '@sluice/contracts';
import { type EventBus, silentLogger } from '@sluice/ports';
import { createMemoryBus } from '@sluice/ports/testing';
import { createKeyring, createLifecycle, generateKeyringSetting, parseSettings } from '@sluice/service-kit';
import { createConfigReader, createConfigStore, createEventIndex, createPool, createPrisma, createRunStore, migrate } from '@sluice/store-postgres';
import { testDatabase, type TestDatabase } from '@sluice/testkit';
import request from 'supertest';
import { composeConfigApi } from '../compose';
import { configApiSettings } from '../settings';
import { countingKeyValue } from './counting-key-value';

export const operatorToken = 'operator-token-of-the-tests';
export const password = 'correct horse battery';

/** A signed-in caller: an owner, or a key. */
export type Caller = Awaited<ReturnType<Awaited<ReturnType<typeof startLab>>['owner']>>;

/** config-api on a real database of its own, with the CRM simulator behind it and a bus in memory. */
export async function startLab(env: Record<string, string> = {}, given?: TestDatabase) {
  const database = given ?? (await testDatabase());
  await migrate(database.url);
  const simulator = createCrmSimulator();
  const { url: crmUrl } = await simulator.start(0);
  const encryptionKeys = generateKeyringSetting();
  const settings = parseSettings(configApiSettings, {
    SLUICE_ENCRYPTION_KEYS: encryptionKeys, SLUICE_OPERATOR_TOKEN: operatorToken, SLUICE_PUBLIC_URL: 'http://sluice.test', SLUICE_RATE_LIMIT_SCALE: '0', ...env,
  });
  const pool = createPool(database.url);
  const prisma = createPrisma(pool);
  const keyring = createKeyring(encryptionKeys);
  const crm = createCrmHttpClient({ baseUrl: crmUrl, clientId: 'app', clientSecret: 'secret' });
  const bus = breakableBus(createMemoryBus());
  const configStore = createConfigStore(prisma);
  const configReader = createConfigReader(prisma, keyring);
  const kv = countingKeyValue();
  const parts = { bus, kv, crm, keyring, configStore, configReader, runStore: createRunStore(pool), eventIndex: createEventIndex(pool) };
  const { app, addTo } = composeConfigApi(settings, parts, { logger: silentLogger, validateAnswers: true });
  const lifecycle = createLifecycle({ name: 'config-api', logger: silentLogger });
  lifecycle.add('topics', () => bus.ensureTopics(allTopics), () => bus.close());
  addTo(lifecycle);
  await lifecycle.start();
  const changes: ConnectorChange[] = [];
  await bus.follow({ topic: connectorChanges.name, onMessages: (messages) => void changes.push(...messages.map(({ value }) => JSON.parse(value!.toString()) as ConnectorChange)) });

  const api = () => request(app);
  const as = (token: string) => {
    const call = (method: 'get' | 'post' | 'put' | 'patch' | 'delete') => (path: string, body?: unknown) => {
      const sent = api()[method](path).set('authorization', `Bearer ${token}`);
      return body === undefined ? sent : sent.send(body as object);
    };
    return { token, get: call('get'), post: call('post'), put: call('put'), patch: call('patch'), delete: call('delete') };
  };
  let emails = 0;
  return {
    app, api, as, bus, kv, changes, simulator, pool, configReader, configStore,
    operator: as(operatorToken),
    /** A new organization of a tier, and its owner signed in. */
    async owner(tier = 'enterprise') {
      emails += 1;
      const email = `owner${emails}@shop.example`;
      const created = await as(operatorToken).post('/operator/organizations', { name: `Shop ${emails}`, owner_email: email, owner_password: password, tier }).expect(201);
      const login = await api().post('/api/auth/login').send({ email, password }).expect(200);
      return { ...as(login.body.access_token as string), email, organizationId: created.body.organization_id as string, userId: created.body.owner_user_id as string };
    },
    /** The newest change of a connector that reached the bus. */
    change: (connectorId: string) => changes.filter(({ connector_id }) => connector_id === connectorId).at(-1),
    async stop() {
      await lifecycle.stop('end of the tests');
      await crm.close();
      await simulator.stop();
      await prisma.$disconnect();
      await pool.end();
      await database.drop();
    },
  };
}

/** A bus whose broker can be taken away. */
function breakableBus(bus: EventBus): EventBus & { down: boolean } {
  const broken: EventBus & { down: boolean } = {
    ...bus,
    down: false,
    publish: async (...args) => (broken.down ? { ok: false, outcome: 'refused', message: 'the broker is away' } : bus.publish(...args)),
  };
  return broken;
}

import { join } from 'node:path';
import { startSimulatedCrm } from '@sluice/crm-writer/test-support';
import type { ConnectorChange } from '@sluice/contracts';
import { allTopics, connectorChanges } from '@sluice/contracts';
import type { BillingProvider, ConfigStore, EventBus, Model } from '@sluice/ports';
import { createMemoryBlobStore, createMemoryBus, createRecordingLogger, FunctionPlatformTwin } from '@sluice/ports/testing';
import { createKeyring, generateKeyringSetting, healthApp, parseSettings } from '@sluice/service-kit';
import { createWebhookKeyring, openAccountParts, retentionOf } from '@sluice/service-parts';
import { testContext } from '@sluice/service-parts/test-support';
import {
  createBreakerStore,
  createAssistantStore,
  createConfigReader,
  createConfigStore,
  createConflictStore,
  createEventIndex,
  createExportStore,
  createImportStore,
  createPluginRunStore,
  createPluginWorkStore,
  createPool,
  createPrisma,
  createMonitoringStore,
  createRecordStore,
  createReplayJobStore,
  createRunStore,
  createServiceRequestStore,
  createSourceFileStore,
  createTaskStore,
  createVerificationStore,
  createWriteCapStore,
  migrate,
} from '@sluice/store-postgres';
import type { WorkerCode } from '@sluice/work-threads';
import { preparedDatabase, sourceWorker, type TestDatabase } from '@sluice/testkit';
import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { createSessionTokens } from '../auth/session-token';
import { composeConfigApi } from '../compose';
import { configApiSettings } from '../settings';
import { frozenKeyValue } from './frozen-key-value';
import { landPlugins } from './land-plugins';

export const operatorToken = 'operator-token-of-the-tests';
export const password = 'correct horse battery';
/** The lowest work factor of bcrypt, because hundreds of owners are created and signed in. */
const passwordRounds = 4;

/** A signed-in caller: an owner, or a key. */
export type Caller = Awaited<ReturnType<Awaited<ReturnType<typeof startLab>>['owner']>>;

/** config-api on a real database of its own, with the CRM simulator behind it and a bus in memory. */
export async function startLab(
  env: Record<string, string> = {},
  given?: Pick<TestDatabase, 'url'> & Partial<Pick<TestDatabase, 'drop'>>,
  worker: WorkerCode = sourceWorker(join(__dirname, '../work/config-jobs.worker.ts')),
  replaced: { billing?(): Partial<BillingProvider>; model?: Model; store?(store: ConfigStore): ConfigStore } = {},
) {
  const database = given ?? (await preparedDatabase('migrated', migrate));
  const { simulator, url: crmUrl, client: crm, close: closeCrm } = await startSimulatedCrm();
  const encryptionKeys = env['SLUICE_ENCRYPTION_KEYS'] ?? generateKeyringSetting();
  const settings = parseSettings(configApiSettings, {
    SLUICE_ENCRYPTION_KEYS: encryptionKeys,
    SLUICE_OPERATOR_TOKEN: operatorToken,
    SLUICE_PUBLIC_URL: 'http://sluice.test',
    SLUICE_RATE_LIMIT_SCALE: '0',
    ...env,
  });
  const retention = retentionOf(settings);
  const pool = createPool(database.url);
  const prisma = createPrisma(pool);
  const keyring = createKeyring(encryptionKeys);
  const bus = breakableBus(createMemoryBus());
  const configStore = createConfigStore(prisma);
  const configReader = createConfigReader(prisma, keyring, { refreshWaitMs: 300 });
  const kv = frozenKeyValue();
  const logger = createRecordingLogger();
  const context = testContext('config-api', settings, { kv, logger });
  const { lifecycle, publicUrl } = context;
  const accountParts = openAccountParts(settings, { publicUrl }, lifecycle);
  let blobsAreAway = false;
  const blobs = createMemoryBlobStore({ unavailable: () => blobsAreAway });
  const functions = new FunctionPlatformTwin();
  const parts = {
    ...accountParts,
    billing: withReplaced(accountParts.billing, replaced.billing),
    bus,
    kv,
    crm,
    keyring,
    configStore: replaced.store?.(configStore) ?? configStore,
    configReader,
    runStore: createRunStore(pool),
    records: createRecordStore(pool, prisma, retention),
    conflicts: createConflictStore(pool, retention),
    sourceFiles: createSourceFileStore(pool, prisma),
    eventIndex: createEventIndex(pool, retention),
    exports: createExportStore(pool, prisma),
    blobs,
    tasks: createTaskStore(pool),
    requests: createServiceRequestStore(pool),
    monitoring: createMonitoringStore(pool, retention),
    replayJobs: createReplayJobStore(pool, prisma, retention),
    assistant: createAssistantStore(pool),
    breakers: createBreakerStore(pool),
    imports: createImportStore(pool, prisma, retention),
    verifications: createVerificationStore(pool, prisma, retention),
    writeCaps: createWriteCapStore(pool, prisma),
    functions,
    pluginRuns: createPluginRunStore(pool),
  };
  lifecycle.add(
    'topics',
    () => bus.ensureTopics(allTopics),
    () => bus.close(),
  );
  const { handle } = composeConfigApi(parts, context, {
    now: () => kv.now,
    validateAnswers: true,
    worker,
    verifyWorker: sourceWorker(join(__dirname, '../../../../packages/event-verify/src/verify-jobs.worker.ts')),
    passwordRounds,
    model: replaced.model ?? null,
  });
  const app = healthApp(context, handle);
  await lifecycle.start();
  const changes: ConnectorChange[] = [];
  await bus.follow({
    topic: connectorChanges.name,
    onMessages: (messages) => void changes.push(...messages.map(({ value }) => JSON.parse(value!.toString()) as ConnectorChange)),
  });

  const api = () => request(app);
  const as = (token: string) => {
    const call = (method: 'get' | 'post' | 'put' | 'patch' | 'delete') => (path: string, body?: unknown) => {
      const sent = api()[method](path).set('authorization', `Bearer ${token}`);
      return body === undefined ? sent : sent.send(body as object);
    };
    return { token, get: call('get'), post: call('post'), put: call('put'), patch: call('patch'), delete: call('delete') };
  };
  const tokens = createSessionTokens(encryptionKeys, 900_000);
  /** A user signed in to an organization, with its role there. */
  const session = async (userId: string, organizationId: string | null) => {
    const times = { expiresAt: new Date(Date.now() + 3_600_000), lifetimeMs: 3_600_000 };
    const opened = { userId, organizationId, tokenHash: randomUUID(), ip: null, userAgent: null, ...times };
    const sessionId = await configStore.accounts.openSession(opened);
    return as(tokens.issue({ sessionId, userId, organizationId }).token);
  };
  let emails = 0;
  return {
    app,
    api,
    as,
    bus,
    kv,
    blobs,
    /** Takes the blob store away, and brings it back. */
    takeBlobsAway(away: boolean) { blobsAreAway = away; },
    changes,
    simulator,
    crmUrl,
    pool,
    configReader,
    keyring,
    webhookKeyring: createWebhookKeyring(settings)!,
    configStore,
    writeCaps: parts.writeCaps,
    functions,
    pluginRuns: parts.pluginRuns,
    /** Lands pushes and promotions of plugins, as plugin-deployer does. */
    landPlugins: () => landPlugins({ tasks: parts.tasks, work: createPluginWorkStore(prisma), functions }),
    /** What the service has logged. */
    lines: logger.lines,
    /** For a second instance on the same database and with the same secrets: `startLab(lab.secrets, lab.database)`. */
    database: { url: database.url },
    secrets: { SLUICE_ENCRYPTION_KEYS: encryptionKeys },
    operator: as(operatorToken),
    /** A new organization of a tier, and its owner signed in. */
    async owner(tier = 'enterprise') {
      emails += 1;
      const email = `owner${emails}@shop.example`;
      const created = await as(operatorToken)
        .post('/operator/organizations', { name: `Shop ${emails}`, owner_email: email, owner_password: password, tier })
        .expect(201);
      const login = await api().post('/api/auth/login').send({ email, password }).expect(200);
      return {
        ...as(login.body.access_token as string),
        email,
        organizationId: created.body.organization_id as string,
        userId: created.body.owner_user_id as string,
      };
    },
    /** The links of the mails to an address, newest first. */
    async linksTo(email: string): Promise<string[]> {
      const { items } = (await as(operatorToken).get(`/operator/outbox?to=${encodeURIComponent(email)}`).expect(200)).body;
      return (items as { links: string[] }[]).flatMap(({ links }) => links);
    },
    /** The token of the newest mail to an address. */
    async tokenTo(email: string): Promise<string> {
      const [link] = await this.linksTo(email);
      return new URL(link!).searchParams.get('token')!;
    },
    /** Somebody who signed up himself and has verified nothing. */
    async signUp(email: string, organizationName = 'Shop') {
      const answer = await api().post('/api/auth/signup').send(
        { email, password, organization_name: organizationName },
      ).expect(201);
      const { access_token: token, organization_id: organizationId, user_id: userId } = answer.body;
      return { ...as(token as string), email, organizationId: organizationId as string, userId: userId as string };
    },
    /** A member of an organization, signed in: a user of another one, or a new user, without an invitation. */
    async member(organizationId: string, userId: string = randomUUID()) {
      await pool.query(
        `INSERT INTO users (id, email, password_hash, verified_at, updated_at) VALUES ($1, $2, '', now(), now()) ON CONFLICT DO NOTHING`,
        [userId, `${userId}@shop.example`],
      );
      await pool.query(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')`, [
        organizationId,
        userId,
      ]);
      return { ...(await session(userId, organizationId)), userId, email: `${userId}@shop.example` };
    },
    session,
    /** The newest change of a connector that reached the bus. */
    change: (connectorId: string) => changes.filter(({ connector_id }) => connector_id === connectorId).at(-1),
    async stop() {
      await lifecycle.stop('end of the tests');
      await closeCrm();
      await prisma.$disconnect();
      await pool.end();
      await database.drop?.();
    },
  };
}

/** A provider some of whose methods a test puts others in place of, as long as it wants. */
function withReplaced(provider: BillingProvider, replaced?: () => Partial<BillingProvider>): BillingProvider {
  if (!replaced) return provider;
  return new Proxy(provider, { get: (own, name: keyof BillingProvider) => replaced()[name] ?? own[name] });
}

/** A bus whose broker can be taken away. */
function breakableBus(bus: EventBus): EventBus & { down: boolean } {
  const broken: EventBus & { down: boolean } = {
    ...bus,
    down: false,
    publish: async (...args) =>
      broken.down ? { ok: false, outcome: 'refused', message: 'the broker is away' } : bus.publish(...args),
  };
  return broken;
}

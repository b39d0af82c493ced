import { randomUUID } from 'node:crypto';
import {
  allTopics, connectorChanges, decodeEnvelope, type EventEnvelope, eventsInbound, eventsOutbound, type FlowIndexEntry,
  type OrganizationState, type Source,
} from '@sluice/contracts';
import { createEmbeddedBus } from '@sluice/bus-embedded';
import { startSimulatedCrm } from '@sluice/crm-writer/test-support';
import { createMemoryKeyValue } from '@sluice/kv-memory';
import {
  createMemoryBlobStore, createMemoryBus, createRecordingLogger, goodAnswer as ok, newConnector, until,
} from '@sluice/ports/testing';
import { createKeyring, generateKeyringSetting, parseSettings } from '@sluice/service-kit';
import { testContext } from '@sluice/service-parts/test-support';
import {
  createConfigReader, createConfigStore, createCrmJournalStore, createEventIndex, createPool, createPrisma, createRunStore,
  createSourceFileStore, createSourceReadStore, createTaskStore, migrate,
} from '@sluice/store-postgres';
import { preparedDatabase, startDestination } from '@sluice/testkit';
import { composeJournalPoller } from '../compose';
import { journalPollerSettings } from '../settings';

/** journal-poller on a real database with a bus in memory, and a server that its sources read. */
export type PollerLab = Awaited<ReturnType<typeof startPollerLab>>;

/** @param options.alone false: other processes are journal-pollers, with a bus in the database */
export async function startPollerLab(env: Record<string, string> = {}, { alone = true }: { alone?: boolean } = {}) {
  const database = await preparedDatabase('migrated', migrate);
  const encryptionKeys = generateKeyringSetting();
  const settings = parseSettings(journalPollerSettings, {
    SLUICE_ENCRYPTION_KEYS: encryptionKeys, SLUICE_ALLOW_PRIVATE_TARGETS: 'on', SLUICE_WORKER_TICK: '0.1', ...env,
  });
  const pool = createPool(database.url);
  const prisma = createPrisma(pool);
  const keyring = createKeyring(encryptionKeys);
  const store = createConfigStore(prisma);
  const configReader = createConfigReader(prisma, keyring);
  const [kv, logger] = [createMemoryKeyValue(), createRecordingLogger()];
  const bus = alone ? createMemoryBus() : createEmbeddedBus({ connectionString: database.url });
  await bus.ensureTopics(allTopics);
  const server = await startDestination();
  const { simulator, url: crmUrl, client: crm, close: closeCrm } = await startSimulatedCrm();
  const envelopes: EventEnvelope[] = [];
  for (const topic of [eventsInbound, eventsOutbound])
    await bus.follow({
      topic: topic.name,
      onMessages: (messages) => void envelopes.push(...messages.map(({ value }) => decodeEnvelope(value!))),
    });
  const [blobs, files] = [createMemoryBlobStore(), createSourceFileStore(pool, prisma)];
  const start = async () => {
    const context = testContext('journal-poller', settings, { kv, logger });
    composeJournalPoller({
      bus, kv, blobs, tasks: createTaskStore(pool), eventIndex: createEventIndex(pool), configReader,
      sourceReads: createSourceReadStore(pool), sourceFiles: files, crm, crmJournal: createCrmJournalStore(pool),
      runStore: createRunStore(pool),
    }, context);
    await context.lifecycle.start();
    return context;
  };
  const announce = async (id: string): Promise<void> => {
    const change = await configReader.connector(id);
    await bus.publish(connectorChanges.name, 0, [{ key: id, value: Buffer.from(JSON.stringify(change)), headers: {} }]);
  };
  let portals = 8_000_000;
  /** Access tokens by portal. */
  const tokens = new Map<number, string>();
  let running = alone ? await start() : null;

  /** A connector with published sources. */
  const connector = async (...sources: Source[]) => {
    const created = ok(await store.accounts.create(
      { email: `${randomUUID()}@shop.example`, passwordHash: 'hash', organizationName: 'Shop', tier: 'enterprise' },
    ));
    const { organizationId } = created;
    const { connector: { id } } = ok(await store.connectors.create(newConnector(organizationId)));
    let version = 0;
    const publish = async (...published: Source[]): Promise<void> => publishFlows([], ...published);
    const publishFlows = async (flows: FlowIndexEntry[], ...published: Source[]): Promise<void> => {
      ok(await store.drafts.publish({
        connectorId: id, config: { version: '3.0', entities: [], flows: [], sources: published }, flows,
        sources: published.map(({ name, type }) => ({ name, type, sealed: null })), baseVersion: version, changeSummary: null,
        publishedBy: null, eventSourcesLimit: null, writeCapLimit: 500,
      }));
      version += 1;
      await announce(id);
    };
    await publish(...sources);
    /** Binds the connector to a portal of the simulator that was made here. */
    const bindTo = async (portal: number): Promise<void> => {
      const credentialId = randomUUID();
      ok(await store.credentials.create({
        id: credentialId, organizationId, name: `portal ${portal}`, credentialType: 'crm_oauth', portalId: String(portal),
        createdById: null, portalsLimit: null,
        sealed: keyring.encrypt(JSON.stringify({ access_token: tokens.get(portal) }), `credential:${credentialId}`),
      }));
      ok(await store.connectors.update(organizationId, id, { credentialId, confirmRebind: true, updatedById: null }));
      await announce(id);
    };
    return {
      id, organizationId, publish, publishFlows,
      source: async (name: string) => (await store.sources.list(id)).find((source) => source.name === name)!,
      events: () => envelopes.filter(({ connector_id: of }) => of === id),
      payloads: () => envelopes.filter(({ connector_id: of }) => of === id).map(({ payload }) => payload),
      poll: (name: string) => store.sources.requestPoll(id, name),
      /** Resolves once the source has been read so often since. */
      read: async (name: string, since: Date | null = null) => until(`${name} is read`, async () => {
        const { lastPollAt } = (await store.sources.list(id)).find((source) => source.name === name)!;
        return lastPollAt !== null && (since === null || lastPollAt > since);
      }),
      enable: async (name: string, enabled: boolean) => {
        await store.sources.setEnabled(id, name, enabled);
        await announce(id);
      },
      setStatus: async (status: 'active' | 'paused') => {
        await pool.query('UPDATE connectors SET status = $2, revision = revision + 1 WHERE id = $1', [id, status]);
        await announce(id);
      },
      organizationIs: async (state: OrganizationState) => {
        await store.organizations.update(organizationId, { state, recoveryMs: 60_000 });
        await announce(id);
      },
      reopen: async () => {
        ok(await store.organizations.reopen(organizationId));
        await announce(id);
      },
      /** Binds the connector to a new portal of the simulator, also one that was bound before. */
      bind: async () => {
        const { settings } = simulator.state.portals.get(1_000_001)!;
        portals += 1;
        const { accessToken } = simulator.state.addPortal(portals, { ...settings });
        tokens.set(portals, accessToken);
        await bindTo(portals);
        return portals;
      },
      bindTo,
      clearError: (name: string) => store.sources.clearError(id, name),
      credential: async (
        name: string, credentialType: 'api_key' | 'bearer_token' | 'oauth2_client_credentials' | 'login', data: object,
      ) => {
        const credentialId = randomUUID();
        ok(await store.credentials.create({
          id: credentialId, organizationId, name, credentialType, portalId: null, createdById: null, portalsLimit: null,
          sealed: keyring.encrypt(JSON.stringify(data), `credential:${credentialId}`),
        }));
      },
    };
  };
  return {
    server, connector, pool, blobs, files, simulator, crmUrl, logger, encryptionKeys, databaseUrl: database.url,
    stopReading: async () => {
      await running?.lifecycle.stop('the test stops it');
      running = null;
    },
    restart: async () => {
      await running?.lifecycle.stop('the test restarts it');
      running = await start();
    },
    stop: async () => {
      await running?.lifecycle.stop('the test ends');
      await server.stop();
      await closeCrm();
      await bus.close();
      await prisma.$disconnect();
      await pool.end();
      await database.drop();
    },
  };
}

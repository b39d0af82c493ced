import {
  createMemoryCrm,
  createMemoryRunStore,
  crmLifecycleConformance,
  crmLookupsConformance,
  crmRecordsConformance,
  type CrmRecordsLab,
  unusedPort,
} from '@sluice/ports/testing';
import { testContext } from './test-support/test-context';
import { createActivity } from './activity';
import { createCrmWriter } from './crm-writer';

/** The writer over the CRM's twin. */
function aWriter() {
  const client = createMemoryCrm();
  const activity = createActivity();
  const { accessToken, portalId } = client.access;
  const credential = { credentialId: 'credential', portalId, accessToken, expiresAt: null };
  const writer = createCrmWriter({
    client,
    activity,
    store: createMemoryRunStore(),
    maxInFlight: 10,
    rememberedMappings: 10,
    claimTimes: { searchLagMs: 0, sendWithinMs: 10_000, landsWithinMs: 10_000, abandonedAfterMs: 60_000 },
    callTimeoutMs: 1_000,
    now: Date.now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    insideLease: () => Promise.resolve(true),
    observer: { called: () => undefined },
    budget: {
      take: () => Promise.resolve(0),
      apply: () => undefined,
      refused: () => undefined,
      ranDry: () => undefined,
      dryForMs: () => 0,
    },
    files: { client: unusedPort('files'), downloads: unusedPort('downloads'), kv: unusedPort('kv'), maxBytes: 1, rememberMs: 1 },
    reader: { crmAccess: () => Promise.resolve(credential), refreshCrmAccess: () => Promise.resolve(credential) },
  });
  const records = writer.recordsFor(testContext(1n, { binding: { credentialId: 'credential', portalId, epoch: 1 } }));
  return { client, activity, records };
}

/** One unit asks, and nobody else is active. */
async function writerLab(): Promise<CrmRecordsLab> {
  const { client, activity, records } = aWriter();
  const active = async <T,>(work: () => Promise<T>): Promise<T> => {
    activity.enter();
    return work().finally(() => activity.leave());
  };
  return {
    crm: {
      upsert: (write) => active(() => records.upsert(write)),
      update: (write) => active(() => records.update(write)),
      updateById: (request) => active(() => records.updateById(request)),
      query: (request) => active(() => records.query(request)),
      associated: (request) => active(() => records.associated(request)),
      find: (request) => active(() => records.find(request)),
      associate: (request) => active(() => records.associate(request)),
      create: (write) => active(() => records.create(write)),
      remove: (target) => active(() => records.remove(target)),
      dissociate: (request) => active(() => records.dissociate(request)),
      promote: (request) => active(() => records.promote(request)),
    },
    add: async (objectType, properties) => {
      const made = await client.batchCreate(client.access, objectType, [{ traceId: 't', properties }], { timeoutMs: 1_000 });
      if (!made.ok) throw new Error(made.message);
      return made.value.results[0]!.id;
    },
    remove: async (objectType, id) => client.archive(objectType, id),
    records: async (objectType) =>
      client
        .records(objectType)
        .filter(({ archived }) => !archived)
        .map(({ id, properties }) => ({ crm_id: id, properties })),
    links: async () => client.associations('contacts', 'deals').map(({ fromId, toId }) => [fromId, toId]),
  };
}

crmRecordsConformance('the CRM writer', writerLab);
crmLookupsConformance('the CRM writer', writerLab);
crmLifecycleConformance('the CRM writer', writerLab);

test('a unit may ask for several things at once', async () => {
  const { activity, records } = aWriter();
  activity.enter();
  const emails = ['ada@example.com', 'bob@example.com', 'cy@example.com'];
  const found = await Promise.all(
    emails.map((email) => records.find({ objectType: 'contacts', match: { email }, properties: [] })),
  );
  expect(found).toEqual(emails.map(() => ({ ok: true, value: { record: null, count: 0 } })));
  expect(activity.quiet()).toBe(false);
  activity.leave();
  expect(activity.quiet()).toBe(true);
}, 10_000);

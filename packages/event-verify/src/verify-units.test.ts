import type { ConfigDocument } from '@sluice/contracts';
import { aConnector, connectorId } from '@sluice/connector-feed/testing';
import { createPortalBudget } from '@sluice/crm-writer';
import { startTestPortal, type TestPortal } from '@sluice/crm-writer/test-support';
import { createMemoryKeyValue } from '@sluice/kv-memory';
import { monotonicClock, type ReadRecord } from '@sluice/ports';
import { aRow, createMemoryBlobStore, createMemoryRunStore } from '@sluice/ports/testing';
import { apiError } from '@sluice/service-kit';
import { inlineThreads } from '@sluice/work-threads/test-support';
import { verifyJobs } from './verify-jobs';
import { createVerifyUnits, unitsToVerify, type VerifyUnitsDeps } from './verify-units';

const config = (target: string): ConfigDocument => ({
  version: '3.0',
  entities: [
    {
      name: 'contact',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { property: 'email' },
          field_mappings: [
            { source: '$.payload.email', target: 'email' },
            { source: '$.payload.name', target },
          ],
        },
      },
    },
  ],
  flows: [
    {
      name: 'contacts',
      source: 'event_api',
      event_type: 'contact_synced',
      steps: [{ id: 'a', action: 'upsert', target: 'crm', entity: 'contact' }],
    },
  ],
  sources: [],
});
const versions: Record<number, ConfigDocument> = { 3: config('lastname') };
const row = aRow({ eventId: 'evt_1', entityIndex: 0, run: 'first' }, { connectorId, externalId: 'ada@example.com', steps: [] });
const accepted: ReadRecord['accepted'] = {
  eventId: 'evt_1',
  entityIndex: 0,
  entitiesTotal: 1,
  sourceName: 'event_api',
  sourceType: null,
  eventType: 'contact_synced',
  externalId: null,
  lane: 'l',
  acceptedAt: '2026-01-01T00:00:00Z',
  timestamp: null,
  storeId: null,
  orderingEpoch: 0,
  importRow: null,
};
const text = JSON.stringify({ email: 'ada@example.com', name: 'Ada' });

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

interface Verified {
  kept?: Partial<ReadRecord>;
  activeVersion?: number | null;
  threads?: VerifyUnitsDeps['threads'];
}

/** Verifies the row against a CRM that holds one contact. */
async function verify({ kept = {}, activeVersion = 2, threads = inlineThreads(verifyJobs) }: Verified) {
  portal.reset();
  const { client } = portal;
  const properties = { email: 'ada@example.com', firstname: 'Ada', lastname: 'Else' };
  await client.batchCreate(portal.access, 'contacts', [{ traceId: 't', properties }], { timeoutMs: 5_000 });
  const blobs = createMemoryBlobStore();
  const access = { credentialId: 'cred', ...portal.access, expiresAt: null };
  const verifyUnits = createVerifyUnits({
    crm: {
      client,
      monotonicNow: monotonicClock(() => 0),
      sleep: () => Promise.resolve(),
      callTimeoutMs: 5_000,
      store: createMemoryRunStore(),
      reader: { crmAccess: async () => access, refreshCrmAccess: async () => null },
      budget: createPortalBudget({ kv: createMemoryKeyValue(), monotonicNow: monotonicClock(() => 0), sharers: () => 1 }),
    },
    records: { get: async () => ({ row, replayable: false, payload: { text }, accepted, ...kept }) },
    blobs,
    threads,
    connectorReader: { versionConfig: async (_id, version) => versions[version] ?? config('firstname') },
  });
  await blobs.put('large', Buffer.from(text));
  const binding = { credential_id: 'cred', portal_id: portal.access.portalId, epoch: 1 };
  return verifyUnits(aConnector({ binding, active_version: activeVersion }), unitsToVerify([row, row]));
}

describe('verifying the rows of an event', () => {
  test('runs the flow of the active version, each record once', async () => {
    expect(await verify({})).toMatchObject([{ entity_name: 'contact', external_id: 'ada@example.com', status: 'match' }]);
    expect(await verify({ activeVersion: 3 })).toMatchObject([
      { status: 'mismatch', properties: [{}, { name: 'lastname', expected: 'Ada', actual: 'Else', match: false }] },
    ]);
    expect(await verify({ kept: { payload: { ref: { key: 'large', bytes: 1 } } } })).toMatchObject([{ status: 'match' }]);
  });

  test('cannot verify an event whose payload is gone, or that no flow is subscribed to any more', async () => {
    const gone = [
      { status: 'not_verifiable', reason: 'the payload of the event is no longer kept', external_id: 'ada@example.com' },
    ];
    expect(await verify({ kept: { payload: null } })).toMatchObject(gone);
    expect(await verify({ kept: { payload: { ref: { key: 'deleted', bytes: 1 } } } })).toMatchObject(gone);
    expect(await verify({ activeVersion: null })).toMatchObject([{ reason: 'no published flow is subscribed to the event' }]);
  });
});

describe('what verifying costs', () => {
  test('counts in the budget of the organization: the size of the payload', async () => {
    const spent: unknown[] = [];
    await verify({ threads: { ...inlineThreads(verifyJobs), spend: (...given) => void spent.push(given) } });
    expect(spent).toEqual([[aConnector().organization_id, text.length]]);
  });

  test('is bounded: what was not verified in time is not verifiable', async () => {
    const run = (): never => {
      throw apiError('config_too_complex');
    };
    expect(await verify({ threads: { ...inlineThreads(verifyJobs), run } })).toMatchObject([
      { status: 'not_verifiable', external_id: 'ada@example.com', reason: expect.stringContaining('too long') },
    ]);
  });
});

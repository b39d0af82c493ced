import type { ConfigDocument } from '@sluice/contracts';
import { aConnector, connectorId, rawKey } from '@sluice/connector-feed/testing';
import { createPortalBudget } from '@sluice/crm-writer';
import { startTestPortal, type TestPortal } from '@sluice/crm-writer/test-support';
import { createMemoryKeyValue } from '@sluice/kv-memory';
import { monotonicClock, type ReadRecord } from '@sluice/ports';
import { aRow, createMemoryBlobStore, createMemoryRunStore } from '@sluice/ports/testing';
import { startIngestApi } from '../test-support/start-ingest-api';
import { createVerifyRows, type VerifyCost } from './verify-rows';

/** @param doubled how often a path doubles its matches in nested lists of the payload; 0: there is no such path */
const config = (target: string, doubled = 0): ConfigDocument => ({
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
            ...(doubled === 0 ? [] : [{ source: `$.payload.list${'[0,-1]'.repeat(doubled)}`, target: 'doubled' }]),
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
const versions: Record<number, ConfigDocument> = {
  3: config('lastname'),
  4: config('firstname', 12),
  5: config('firstname', 15),
};
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
};
const free: VerifyCost = { begin: () => undefined, spend: () => undefined };
const payload = { payload: { email: 'ada@example.com', name: 'Ada' } };

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

/** Verifies the row against a CRM that holds one contact. */
async function verify(kept: Partial<ReadRecord>, activeVersion: number | null = 2, cost: VerifyCost = free) {
  portal.reset();
  const { client } = portal;
  const properties = { email: 'ada@example.com', firstname: 'Ada', lastname: 'Else' };
  await client.batchCreate(portal.access, 'contacts', [{ traceId: 't', properties }], { timeoutMs: 5_000 });
  const blobs = createMemoryBlobStore();
  const access = { credentialId: 'cred', ...portal.access, expiresAt: null };
  const verifyRows = createVerifyRows({
    crm: {
      client,
      monotonicNow: monotonicClock(() => 0),
      sleep: () => Promise.resolve(),
      callTimeoutMs: 5_000,
      store: createMemoryRunStore(),
      reader: { crmAccess: async () => access, refreshCrmAccess: async () => null },
      budget: createPortalBudget({ kv: createMemoryKeyValue(), monotonicNow: monotonicClock(() => 0), liveRunners: () => 1 }),
    },
    records: { get: async () => ({ row, replayable: false, payload, accepted, ...kept }) },
    blobs,
    connectorReader: { versionConfig: async (_id, version) => versions[version] ?? config('firstname') },
  });
  await blobs.put('large', Buffer.from(JSON.stringify(payload.payload)));
  await blobs.put('too-large', Buffer.from(JSON.stringify({ ...payload.payload, more: 'x'.repeat(1_048_576) })));
  const binding = { credential_id: 'cred', portal_id: portal.access.portalId, epoch: 1 };
  return verifyRows(aConnector({ binding, active_version: activeVersion }), [row, row], cost);
}

describe('verifying the rows of an event', () => {
  test('runs the flow of the active version, each record once', async () => {
    expect(await verify({})).toMatchObject([{ entity_name: 'contact', external_id: 'ada@example.com', status: 'match' }]);
    expect(await verify({}, 3)).toMatchObject([
      { status: 'mismatch', properties: [{}, { name: 'lastname', expected: 'Ada', actual: 'Else', match: false }] },
    ]);
    expect(await verify({ payload: { ref: { key: 'large', bytes: 1 } } })).toMatchObject([{ status: 'match' }]);
  });

  test('cannot verify an event whose payload is gone, or that no flow is subscribed to any more', async () => {
    const gone = [
      { status: 'not_verifiable', reason: 'the payload of the event is no longer kept', external_id: 'ada@example.com' },
    ];
    expect(await verify({ payload: null })).toMatchObject(gone);
    expect(await verify({ payload: { ref: { key: 'deleted', bytes: 1 } } })).toMatchObject(gone);
    expect(await verify({}, null)).toMatchObject([{ reason: 'no published flow is subscribed to the event' }]);
  });
});

describe('what verifying costs', () => {
  const list = Array.from({ length: 20 }).reduce<unknown>((inner) => [inner], 'x');
  const costly = { payload: { email: 'ada@example.com', name: 'Ada', list } };

  test('is reported: each record, and what its expressions and its payload cost beyond that', async () => {
    const spent = { records: 0, reads: 0 };
    const cost = { begin: () => void (spent.records += 1), spend: (reads: number) => void (spent.reads += reads) };
    await verify({}, 2, cost);
    expect([spent.records, Math.round(spent.reads)]).toEqual([1, 0]);
    await verify({ payload: costly }, 4, cost);
    expect(spent.records).toBe(2);
    expect(spent.reads).toBeGreaterThan(3);
  });

  test('is bounded: what costs more than a tenth of an attempt, or has a large payload, is not verified', async () => {
    expect(await verify({ payload: costly }, 5)).toMatchObject([
      { status: 'not_verifiable', reason: expect.stringContaining('more than 20000 matches') },
    ]);
    const large = [{ status: 'not_verifiable', reason: 'the payload of the event is too large to be verified' }];
    expect(await verify({ payload: { ref: { key: 'too-large', bytes: null } } })).toMatchObject(large);
    expect(await verify({ payload: { ref: { key: 'never-read', bytes: 2_000_000 } } })).toMatchObject(large);
  });

  test('nothing is verified for a caller over its read budget', async () => {
    const refuse = (): never => {
      throw new Error('no more');
    };
    await expect(verify({}, 2, { ...free, begin: refuse })).rejects.toThrow('no more');
  });
});

test('the route answers only for events of its connector, and requires encryption keys', async () => {
  const ingest = await startIngestApi([aConnector()], {}, { verifies: false });
  const get = (id: string) => fetch(`${ingest.url}/api/v1/events/${id}/verify`, { headers: { 'x-api-key': rawKey } });
  try {
    expect((await get('evt_nothing')).status).toBe(404);
    const { body } = await ingest.post({ event: 'contact_synced', data: {} });
    const answer = await get(body.event_id);
    expect([answer.status, await answer.json()]).toMatchObject([503, { detail: { error: 'service_unavailable' } }]);
  } finally {
    await ingest.stop();
  }
});

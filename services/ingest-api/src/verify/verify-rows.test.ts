import type { ConfigDocument } from '@sluice/contracts';
import { aConnector, connectorId, rawKey } from '@sluice/connector-feed/testing';
import { createPortalBudget } from '@sluice/crm-writer';
import { createMemoryKeyValue } from '@sluice/kv-memory';
import type { ReadRecord } from '@sluice/ports';
import { aRow, createMemoryBlobStore, createMemoryCrm, createMemoryRunStore } from '@sluice/ports/testing';
import { startIngestApi } from '../test-support/start-ingest-api';
import { createVerifyRows } from './verify-rows';

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
const payload = { payload: { email: 'ada@example.com', name: 'Ada' } };

/** Verifies the row against a CRM that holds one contact. */
async function verify(kept: Partial<ReadRecord>, activeVersion: number | null = 2) {
  const crm = createMemoryCrm();
  const properties = { email: 'ada@example.com', firstname: 'Ada', lastname: 'Else' };
  await crm.batchCreate(crm.access, 'contacts', [{ traceId: 't', properties }], { timeoutMs: 1_000 });
  const blobs = createMemoryBlobStore();
  const access = { credentialId: 'cred', portalId: crm.access.portalId, accessToken: crm.access.accessToken, expiresAt: null };
  const verifyRows = createVerifyRows({
    crm: {
      client: crm,
      now: Date.now,
      sleep: () => Promise.resolve(),
      callTimeoutMs: 1_000,
      store: createMemoryRunStore(),
      reader: { crmAccess: async () => access, refreshCrmAccess: async () => null },
      budget: createPortalBudget({ kv: createMemoryKeyValue(), now: Date.now, liveRunners: () => 1 }),
    },
    records: { get: async () => ({ row, replayable: false, payload, accepted, ...kept }) },
    blobs,
    connectorReader: { versionConfig: async (_id, version) => config(version === 2 ? 'firstname' : 'lastname') },
  });
  await blobs.put('large', Buffer.from(JSON.stringify(payload.payload)));
  const binding = { credential_id: 'cred', portal_id: crm.access.portalId, epoch: 1 };
  return verifyRows(aConnector({ binding, active_version: activeVersion }), [row, row]);
}

describe('verifying the rows of an event', () => {
  test('runs the flow of the active version, each record once', async () => {
    expect(await verify({})).toMatchObject([{ entity_name: 'contact', external_id: 'ada@example.com', status: 'match' }]);
    expect(await verify({}, 3)).toMatchObject([
      { status: 'mismatch', properties: [{}, { name: 'lastname', expected: 'Ada', actual: 'Else', match: false }] },
    ]);
    expect(await verify({ payload: { ref: { key: 'large', bytes: 1 } } })).toMatchObject([{ status: 'match' }]);
  });

  test('cannot verify what is no longer kept, or what no flow wants any more', async () => {
    const gone = [
      { status: 'not_verifiable', reason: 'the payload of the event is no longer kept', external_id: 'ada@example.com' },
    ];
    expect(await verify({ payload: null })).toMatchObject(gone);
    expect(await verify({ payload: { ref: { key: 'deleted', bytes: 1 } } })).toMatchObject(gone);
    expect(await verify({}, null)).toMatchObject([{ reason: 'no published flow is subscribed to the event' }]);
  });
});

test('the route knows only the events of its connector, and needs keys that open credentials', async () => {
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

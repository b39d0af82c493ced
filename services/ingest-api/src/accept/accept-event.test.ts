import { aConnector, connectorId, rawKey } from '@sluice/connector-feed/testing';
import { eventually, startIngestApi, type TestIngestApi } from '../test-support/start-ingest-api';

let api: TestIngestApi | undefined;
const start = async (...connectors: Parameters<typeof startIngestApi>): Promise<TestIngestApi> =>
  (api = await startIngestApi(...connectors));
afterEach(async () => {
  await api?.stop();
  api = undefined;
});

const order = { event: 'order.created', data: { id: 'A-1' } };

describe('accepting', () => {
  test('answers 202 once the event is in the log, as one envelope', async () => {
    const { post, envelopes } = await start([aConnector({ default_store_id: 'main' })]);
    const { status, body, headers } = await post({ ...order, timestamp: '2026-01-05T10:00:00' }, { 'x-request-id': 'req-1' });
    expect([status, body]).toEqual([
      202,
      { event_id: expect.stringMatching(/^evt_[\w-]{40}$/), status: 'processing', entities_count: 1, hint: null },
    ]);
    expect(headers.get('x-request-id')).toBe('req-1');
    expect(envelopes()).toEqual([
      expect.objectContaining({
        v: 1,
        event_id: body.event_id,
        entity_index: 0,
        entities_total: 1,
        connector_id: connectorId,
        revision: 1,
        source_name: 'event_api',
        source_type: 'event_api',
        event_type: 'order.created',
        external_id: null,
        timestamp: '2026-01-05T10:00:00.000Z',
        store_id: 'main',
        lane: connectorId,
        run: 'first',
        kind: 'live',
        payload: { id: 'A-1' },
        request_id: 'req-1',
      }),
    ]);
  });

  test('turns entities into an envelope each, under one event id', async () => {
    const { post, envelopes, messages } = await start([aConnector({ width: 8 })]);
    const entities = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ type: 'contact', externalObjectId: id, properties: { id } }));
    const { body } = await post({ event: 'sync', entities });
    expect(body.entities_count).toBe(6);
    expect(
      envelopes().map(({ event_id, entity_index, entities_total, event_type, external_id, lane }) => ({
        event_id,
        entity_index,
        entities_total,
        event_type,
        external_id,
        lane,
      })),
    ).toEqual(
      entities.map(({ externalObjectId }, index) => ({
        event_id: body.event_id,
        entity_index: index,
        entities_total: 6,
        event_type: 'contact_synced',
        external_id: externalObjectId,
        lane: `${connectorId}:contact:${externalObjectId}`,
      })),
    );
    expect(new Set(messages().map(({ partition }) => partition)).size).toBeGreaterThan(1);
  });

  test('status tells the event until and after it has run', async () => {
    const { post, status, index } = await start([aConnector()]);
    const { body } = await post(order);
    await eventually('the index has the event', () => index.entries().length === 1);
    expect(await status(body.event_id)).toMatchObject({
      status: 200,
      body: { event_id: body.event_id, status: 'processing', entities_total: 1, entities_done: 0, entities: [], hint: null },
    });
    expect(await status('evt_nothing')).toMatchObject({ status: 404, body: { detail: 'Not Found' } });
    expect(await status(body.event_id, 'other')).toMatchObject({ status: 401, body: { detail: 'Invalid or revoked API key' } });
  });

  test('without a key or with an unknown one: 401', async () => {
    const { post } = await start([aConnector()]);
    expect(await post(order, { 'x-api-key': undefined })).toMatchObject({
      status: 401,
      body: { detail: 'Missing x-api-key header' },
    });
    expect(await post(order, { 'x-api-key': `${rawKey}x` })).toMatchObject({
      status: 401,
      body: { detail: 'Invalid or revoked API key' },
    });
  });

  test('with Postgres down events are accepted, their status is processing, and the index catches up', async () => {
    const { post, status, faults, index, get } = await start([aConnector()]);
    faults.databaseDown = true;
    const { status: code, body } = await post(order);
    expect(code).toBe(202);
    expect((await status(body.event_id)).body).toEqual({
      event_id: body.event_id,
      status: 'processing',
      entities_total: null,
      entities_done: 0,
      entities: [],
      hint: null,
    });
    await eventually(
      'readiness tells it',
      async () => (await get('/readyz')).body.checks['event index'].reason === 'the event index waits for the database',
    );
    expect((await get('/readyz')).status).toBe(200);
    faults.databaseDown = false;
    await eventually('the index has the event', () => index.entries().length === 1);
  });

  test('hints come from the flows of the active version; while Postgres is down there are no hints', async () => {
    const { post, flows, flowReads, announce, faults } = await start([aConnector()]);
    expect((await post({ event: 'invoice.paid', data: {} })).body.hint).toBe(
      'No published flow is subscribed to "invoice.paid".',
    );
    expect((await post(order)).body.hint).toBeNull();
    flows.set(`${connectorId}/2`, [
      { name: 'invoices', source: 'event_api', source_type: 'event_api', event_type: 'invoice.paid', enabled: true },
    ]);
    await announce(aConnector({ revision: 2, active_version: 2 }));
    await eventually('the new version applies', async () => (await post({ event: 'invoice.paid', data: {} })).body.hint === null);
    expect(flowReads).toEqual([`${connectorId}/1`, `${connectorId}/2`]);
    faults.databaseDown = true;
    expect((await post(order)).body.hint).toBe('No published flow is subscribed to "order.created".');
    await announce(aConnector({ revision: 3, active_version: 3 }));
    await eventually('events are accepted without a hint', async () => (await post(order)).body.hint === null);
    expect((await post(order)).status).toBe(202);
  });

  test('without Redis events are accepted, with and without an Idempotency-Key', async () => {
    const { post, faults } = await start([aConnector({ organization: { tier: 'pro' } })], { rateLimitScale: 1 });
    faults.kvDown = true;
    expect([(await post(order)).status, (await post(order, { 'idempotency-key': 'k' })).status]).toEqual([202, 202]);
  });

  test('an event whose connector is paused after it was accepted is pending', async () => {
    const { post, status, announce } = await start([aConnector()]);
    const { body } = await post(order);
    await announce(aConnector({ revision: 2, status: 'paused' }));
    await eventually('it waits', async () => (await status(body.event_id)).body.status === 'pending');
    expect((await status(body.event_id)).body.held).toMatchObject({ reason: 'paused', until: null });
  });

  test('an id is forgotten with its history', async () => {
    const { post, status, faults } = await start([aConnector()], { historyRetentionMs: 86_400_000 });
    faults.now = Date.parse('2026-03-02T10:00:00Z');
    faults.publish = 'lost';
    const eventId = (await post(order)).body.detail.event_id;
    expect((await status(eventId)).body.status).toBe('processing');
    faults.now += 600_001;
    expect((await status(eventId)).body).toMatchObject({ status: 'delayed', hint: expect.any(String) });
    faults.now += 86_400_000;
    expect((await status(eventId)).status).toBe(404);
  });

  test('an event past the retention of the history is 404, also by an id that names its day alone', async () => {
    const { post, status, faults } = await start([aConnector()], { historyRetentionMs: 60_000 });
    const noon = faults.now = Math.floor(Date.now() / 86_400_000) * 86_400_000 + 43_200_000;
    const { event_id: eventId } = (await post(order, { 'idempotency-key': 'once' })).body;
    faults.now = noon + 59_999;
    await eventually('it is indexed', async () => (await status(eventId)).body.entities_total === 1);
    faults.now = noon + 60_000;
    expect((await status(eventId)).status).toBe(404);
  });
});

import { createHmac } from 'node:crypto';
import { compatKeyHash } from '@sluice/connector-feed';
import { aConnector, connectorId } from '@sluice/connector-feed/testing';
import { eventually, startIngestApi, type TestIngestApi } from '../test-support/start-ingest-api';

let api: TestIngestApi;
afterEach(() => api.stop());

const settings = { waitsMs: [60_000], healthyResetMs: 60_000 };
const fatal = (flowName: string) => ({ connectorId, flowName, kind: 'fatal' as const, detail: 'HTTP 401', unit: 'u' });
const open = async (flowName: string): Promise<void> => {
  await api.breakers.note([fatal(flowName), fatal(flowName), fatal(flowName)], settings);
};
const order = { event: 'order.created', data: { id: 'A-1' } };
const contacts = { event: 'sync', entities: [{ type: 'contact', externalObjectId: 'C-1', properties: {} }] };
const untilRefused = (body: unknown): Promise<void> =>
  eventually('it is refused', async () => (await api.post(body)).status === 429);

describe('an event whose flow is stopped by its breaker', () => {
  test('is refused with the flow, why it is stopped and when to send again', async () => {
    api = await startIngestApi([aConnector()]);
    expect((await api.post(order)).status).toBe(202);
    await open('orders');
    await untilRefused(order);
    const accepted = api.envelopes().length;
    const { body, headers } = await api.post(order);
    const seconds = body.detail.flows[0].retry_after_seconds;
    expect(body).toEqual({
      detail: {
        error: 'connector_flow_breaker_open', connector_id: connectorId, docs: expect.stringMatching(/^http.*\/docs$/),
        flows: [{ name: 'orders', reason: 'fatal_streak', detail: 'HTTP 401', retry_after_seconds: seconds }],
      },
    });
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(headers.get('retry-after')).toBe(String(seconds));
    expect(api.envelopes()).toHaveLength(accepted);
  });

  test('other flows and events that reach no flow are accepted', async () => {
    api = await startIngestApi([aConnector()]);
    await open('orders');
    await untilRefused(order);
    expect((await api.post(contacts)).status).toBe(202);
    expect((await api.post({ event: 'nobody.cares', data: {} })).status).toBe(202);
    expect((await api.post({ event: 'return.created', data: {} })).status).toBe(202);
  });

  test('a request of which some entities reach another flow is accepted', async () => {
    api = await startIngestApi([aConnector()]);
    api.flows.set(`${connectorId}/${aConnector().active_version}`, ['contact', 'company'].map((type) => (
      { name: type, source: 'shop', source_type: 'event_api', event_type: `${type}_synced`, enabled: true })));
    await open('contact');
    await untilRefused(contacts);
    const both = { event: 'sync', entities: ['contact', 'company'].map((type) =>
      ({ type, externalObjectId: '1', properties: {} })) };
    expect((await api.post(both)).status).toBe(202);
    await open('company');
    await untilRefused(both);
    expect((await api.post(both)).body.detail.flows.map(({ name }: { name: string }) => name)).toEqual(['contact', 'company']);
  });

  test('is accepted and held once the wait has passed, with a hint', async () => {
    api = await startIngestApi([aConnector()]);
    await open('orders');
    await untilRefused(order);
    await api.breakers.retry(connectorId, 'orders');
    await eventually('it is accepted', async () => (await api.post(order)).status === 202);
    expect((await api.post(order)).body.hint).toContain('paused by its breaker and ready for recovery: the event is held');
    await api.breakers.closeAll(connectorId);
    await eventually('no hint', async () => (await api.post({ ...order, recordKey: 'A' })).body.hint === null);
  });

  test('a webhook call is accepted, a call of the legacy ingress is refused as the event would be', async () => {
    api = await startIngestApi([aConnector()]);
    const [key, body] = ['legacy key of the shop', JSON.stringify({ topic: 'order.created', entities: [{ id: 'A-1' }] })];
    api.published.set(connectorId, {
      sources: [{ name: 'shop', type: 'webhook', config: { event_type_path: '$.topic' } }], secrets: { shop: key },
      ingressProfile: { auth_header: 'X-Legacy-Key', routes: [{ path: 'orders', event: 'order.created' }] },
    });
    api.compatKeys.set(`${connectorId}/${compatKeyHash(connectorId, key)}`, 'compat-key-1');
    const orderFlow = { name: 'orders', event_type: 'order.created', enabled: true };
    api.flows.set(`${connectorId}/${aConnector().active_version}`, [
      { ...orderFlow, source: 'shop', source_type: 'webhook' }, { ...orderFlow, source: 'api', source_type: 'event_api' },
    ]);
    await open('orders');
    await untilRefused(order);
    const call = (path: string, headers: Record<string, string>) =>
      api.send(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
    const signature = createHmac('sha256', key).update(body).digest('hex');
    const hook = await call(`/api/webhooks/${connectorId}/shop`, { 'x-signature': signature });
    expect([hook.status, hook.body.status]).toEqual([202, 'processing']);
    const compat = await call(`/api/v1/compat/${connectorId}/orders`, { 'x-legacy-key': key });
    expect([compat.status, compat.body.result]).toEqual([429, 'error']);
    expect(Number(compat.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(api.envelopes().map(({ event_id }) => event_id)).toEqual([hook.body.event_id]);
  });

  test('an operator stops a flow, and lets one go on', async () => {
    api = await startIngestApi([aConnector()]);
    await api.breakers.force(connectorId, 'orders', 'open');
    await untilRefused(order);
    expect((await api.post(order)).body.detail.flows).toEqual([
      { name: 'orders', reason: 'manual', detail: null, retry_after_seconds: 300 },
    ]);
    await api.breakers.force(connectorId, 'orders', 'closed');
    await open('orders');
    await eventually('it is accepted', async () => (await api.post(order)).status === 202);
  });

  test('counts nothing in the quota, and is asked for after it', async () => {
    api = await startIngestApi([aConnector({ organization: { tier: 'free', limits: { events_limit: 2 } } })]);
    await open('orders');
    await untilRefused(order);
    for (let n = 0; n < 5; n += 1) expect((await api.post(order)).body.detail.error).toBe('connector_flow_breaker_open');
    expect((await api.post(contacts)).status).toBe(202);
    expect((await api.post(contacts)).status).toBe(202);
    expect((await api.post(order)).body.detail.error).toBe('quota_exceeded');
  });

  test('stays stopped while the database is away', async () => {
    api = await startIngestApi([aConnector()]);
    await open('orders');
    await untilRefused(order);
    api.faults.databaseDown = true;
    expect((await api.post(order)).status).toBe(429);
  });
});

import { gzipSync } from 'node:zlib';
import { type aConnector, connectorId } from '@sluice/connector-feed/testing';
import { invalid, mac, type Sent, webhookShopOfTest } from './test-support/webhook-shop';

const { start, send, json, api } = webhookShopOfTest();

describe('a call', () => {
  test('becomes an event of the source: 202 once it is in the log', async () => {
    await start({ event_type_path: '$.topic', external_id_path: '$.id' }, { organization: { per_record_ordering: true } });
    const { body, headers, status } = await json({ topic: 'order.created', id: 17 }, { headers: { 'x-request-id': 'req-1' } });
    expect([status, body]).toEqual([202, { event_id: expect.stringMatching(/^evt_[\w-]{40}$/) as string, status: 'processing' }]);
    expect(headers.get('x-request-id')).toBe('req-1');
    expect(api().envelopes()).toMatchObject([{
      event_id: body.event_id, source_name: 'shop', source_type: 'webhook', event_type: 'order.created', external_id: '17', run: 'first',
      kind: 'live', lane: `${connectorId}:17`, payload: { topic: 'order.created', id: 17 }, request_id: 'req-1',
    }]);
    expect(JSON.stringify(api().envelopes())).not.toContain(mac(JSON.stringify({ topic: 'order.created', id: 17 })));
  });

  test('may be a form: fields with several values are lists', async () => {
    await start();
    const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    expect((await send({ body: 'a=1&b=x%20y&b=z&__proto__=p', headers: form })).status).toBe(202);
    expect(JSON.stringify(api().envelopes()[0]!.payload)).toBe('{"a":"1","b":["x y","z"],"__proto__":"p"}');
  });

  test('is signed as it was sent, packed or not', async () => {
    await start();
    const packed = gzipSync('{"packed":true}');
    expect((await send({ body: packed, headers: { 'content-encoding': 'gzip' } })).status).toBe(202);
    const signedUnpacked = { 'content-encoding': 'gzip', 'x-signature': mac('{"packed":true}') };
    expect(await send({ body: packed, headers: signedUnpacked })).toMatchObject(invalid);
    expect(api().envelopes()).toMatchObject([{ payload: { packed: true } }]);
  });

  test('of a list becomes an event for each element, all in one answer', async () => {
    await start({ split_path: '$.items', event_type_path: '$.kind' });
    const { body } = await json({ kind: 'changed', items: [{ n: 1 }, { n: 2, kind: 'created' }] });
    expect(body).toEqual({ event_ids: [expect.stringMatching(/^evt_/), expect.stringMatching(/^evt_/)], status: 'processing' });
    expect(api().messages()).toHaveLength(2);
    const typeOf = (id: string) => api().envelopes().find(({ event_id }) => event_id === id)!.event_type;
    expect((body.event_ids as string[]).map(typeOf)).toEqual(['changed', 'created']);
    expect(await json({ items: [] })).toMatchObject({ status: 202, body: { event_ids: [], status: 'processing' } });
  });
});

describe('the state of the connector', () => {
  test.each<[string, Parameters<typeof aConnector>[0], number]>([
    ['paused', { status: 'paused' }, 202],
    ['in error', { status: 'error' }, 202],
    ['of a suspended organization', { organization: { state: 'suspended' } }, 423],
    ['of a closing organization', { organization: { state: 'closing' } }, 423],
    ['deleted', { deleted: true }, 404],
  ])('%s: %i', async (_title, change, status) => {
    await start({}, change);
    expect((await send()).status).toBe(status);
    expect(api().messages()).toHaveLength(status === 202 ? 1 : 0);
  });

  test('the quota counts the events of a call as a whole', async () => {
    await start({ split_path: '$' }, { organization: { tier: 'free', limits: { events_limit: 3 } } });
    expect((await json([1, 2])).status).toBe(202);
    expect(await json([1, 2])).toMatchObject(
      { status: 429, body: { detail: { error: 'quota_exceeded', events_used_this_period: 2 } } },
    );
    expect((await json([1])).status).toBe(202);
    expect(api().messages()).toHaveLength(3);
  });

  test('verified calls count in the rate of the organization, others do not', async () => {
    await start({}, { organization: { tier: 'free' } }, { rateLimitScale: 1 });
    for (let at = 0; at < 30; at += 1) expect((await send({ headers: { 'x-signature': 'x' } })).status).toBe(401);
    // At once, and several times the rate: on a slow machine they take longer than a second.
    const statuses = (await Promise.all(Array.from({ length: 100 }, () => send()))).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([202, 429]));
    expect(statuses.filter((status) => status === 202).length).toBeGreaterThanOrEqual(10);
  });

  test('a stranger who calls too often is refused, at that source and from that network alone', async () => {
    await start({}, {}, { rateLimitScale: 1, trustProxy: 1 });
    const from = (address: string, more: Sent = {}) => send(
      { ...more, headers: { 'x-forwarded-for': address, ...more.headers } },
    );
    const stranger = () => from('192.0.2.1', { headers: { 'x-signature': 'x' } });
    const statuses = await Promise.all(Array.from({ length: 600 }, stranger));
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect(statuses.find(({ status }) => status === 429)!.headers.get('retry-after')).toBe('1');
    expect((await from('192.0.2.2')).status).toBe(202);
    expect((await from('192.0.2.1', { source: 'other' })).status).toBe(202);
  });
});

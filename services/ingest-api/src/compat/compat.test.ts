import { compatKeyHash } from '@sluice/connector-feed';
import { aConnector, connectorId, rawKey } from '@sluice/connector-feed/testing';
import type { IngressProfile } from '@sluice/contracts';
import { StoreUnavailable } from '@sluice/ports';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startIngestApi, type TestIngestApi } from '../test-support/start-ingest-api';

const legacyKey = 'legacy key of the shop';
const profile: IngressProfile = {
  auth_header: 'X-Legacy-Key',
  max_entities: 3,
  routes: [
    { path: 'orders/import', event: 'order' },
    { path: 'Any', event_field: 'meta.kind', split: 'none' },
    { path: 'typed', event_field: 'event', events: ['customer', 'order'] },
  ],
  resend_actions: { again: ['order', 'customer'], all: 'order' },
};

let api: TestIngestApi;
let legacy: Server | undefined;
afterEach(async () => {
  await api.stop();
  legacy?.close();
  legacy = undefined;
});

async function start(
  more: Partial<IngressProfile> = {},
  change: Parameters<typeof aConnector>[0] = {},
  settings: Parameters<typeof startIngestApi>[1] = {},
): Promise<void> {
  api = await startIngestApi([aConnector(change)], { allowPrivateTargets: true, ...settings });
  api.published.set(connectorId, { sources: [], secrets: {}, ingressProfile: { ...profile, ...more } });
  api.compatKeys.set(`${connectorId}/${compatKeyHash(connectorId, legacyKey)}`, 'compat-key-1');
}

const call = (path: string, body?: unknown, headers: Record<string, string> = {}, method = 'POST') =>
  api.send(path.startsWith('/') ? path : `/api/v1/compat/${connectorId}/${path}`, {
    method, headers: { 'x-legacy-key': legacyKey, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const orders = (...ids: string[]) => (
  { version: '1', source: 'shop', event: 'ignored', entities: ids.map((id) => ({ externalObjectId: id, total: 5 })) }
);
const error = (message: string) => ({ result: 'error', message });
const check = async (callId: string) => (await call(`api/check/${callId}`)).body;

describe('a call', () => {
  test('is stored and queued: 200 with its id; each item is a record, and its own data', async () => {
    await start({}, { organization: { per_record_ordering: true } });
    const { body, status } = await call('orders/import', { ...orders('A', 'B'), timestamp: '2026-03-02T10:00:00' });
    expect([status, body]).toEqual([200, { result: 'ok', callId: expect.stringMatching(/^evt_/) as string }]);
    expect(api.envelopes()).toMatchObject(['A', 'B'].map((id, index) => ({
      event_id: body.callId, entity_index: index, entities_total: 2, source_name: 'event_api', source_type: 'event_api',
      event_type: 'order',
      external_id: id, timestamp: '2026-03-02T10:00:00.000Z', lane: `${connectorId}:${id}`, payload: {
        externalObjectId: id, total: 5,
      },
      run: 'first', kind: 'live',
    })));
  });

  test('has its whole body as data where the route does not split, and its type from a field of the body', async () => {
    await start();
    const body = { meta: { kind: 'stock.changed' }, timestamp: 1_772_445_600, entities: [{ a: 1 }] };
    expect((await call('any', body)).status).toBe(200);
    expect(api.envelopes()).toMatchObject(
      [{ event_type: 'stock.changed', payload: body, timestamp: '2026-03-02T10:00:00.000Z' }],
    );
    await call('typed', { ...orders('1'), event: 'customer' });
    expect(api.envelopes().map(({ event_type }) => event_type).sort()).toEqual(['customer', 'stock.changed']);
  });

  test.each(['ORDERS/Import', '/orders//import/', 'orders/import?x=1', 'Orders%2fimport'.replace('%2f', '/')])(
    'has no regard to case and slashes: %s', async (path) => {
      await start();
      const url = `/api/v1//compat/${connectorId.toUpperCase()}/${path}`;
      expect((await call(path.startsWith('/') ? `/api/v1/compat/${connectorId}/${path}` : url, orders('1'))).status).toBe(200);
    });

  test.each<[string, unknown]>([['empty', { entities: [] }], ['absent', {}], ['null', { entities: null }]])(
    'whose entities are %s is 201, with an id that cannot be checked', async (_title, body) => {
      await start();
      expect(await call('orders/import', body)).toMatchObject({ status: 201, body: { result: 'ok', callId: 'No entities to process' } });
      expect(api.messages()).toEqual([]);
      expect(
        await call('api/check/No%20entities%20to%20process'),
      ).toMatchObject({ status: 404, body: error('callId not found') });
    });
});

describe('a call that cannot be stored', () => {
  test('is not queued: 503', async () => {
    await start();
    api.compatCalls.add = () => Promise.reject(new StoreUnavailable('down'));
    expect((await call('orders/import', orders('1'))).status).toBe(503);
    expect(api.messages()).toEqual([]);
  });
});

describe('a call that is refused', () => {
  test.each<[string, string, unknown, number, string]>([
    ['a list', 'orders/import', [], 400, 'Body must be an object'],
    ['a text', 'orders/import', '"x"', 400, 'Body must be an object'],
    ['no JSON', 'orders/import', '{', 400, 'Malformed JSON'],
    ['entities that are no list', 'orders/import', { entities: {} }, 400, 'entities must be an array of objects'],
    ['entities that are no objects', 'orders/import', { entities: [1] }, 400, 'entities must be an array of objects'],
    ['an event that the route does not take', 'typed', { ...orders('1'), event: 'stock' }, 400, 'Unknown event'],
    ['no event', 'any', { meta: {} }, 400, 'Unknown event'],
    ['too many entities', 'orders/import', orders('1', '2', '3', '4'), 500, 'A maximum of 3 messages can be sent'],
    ['another path', 'orders', orders('1'), 404, 'Not found'],
    ['no path', '', orders('1'), 404, 'Not found'],
    ['too large', 'orders/import', `{"entities":["${'x'.repeat(5_300_000)}"]}`, 413, 'The body is larger than 5242880 bytes'],
  ])('%s', async (_title, path, body, status, message) => {
    await start();
    expect(await call(path, body)).toMatchObject({ status, body: error(message) });
    expect(api.messages()).toEqual([]);
  });

  test('by another method', async () => {
    await start();
    const answer = await call('orders/import', undefined, {}, 'GET');
    expect(answer).toMatchObject({ status: 405, body: error('Method Not Allowed') });
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test.each<[string, Record<string, string>]>([
    ['another key', { 'x-legacy-key': 'another key' }], ['an empty key', { 'x-legacy-key': '' }],
    ['a connector key', { 'x-legacy-key': rawKey }], [
      'the key in another header', { 'x-legacy-key': '', 'x-api-key': legacyKey },
    ],
  ])('with %s: 401 that names the header', async (_title, headers) => {
    await start();
    for (const path of ['orders/import', 'nowhere', 'api/check/x', 'api/resend/all/x'])
      expect(await call(path, orders('1'), headers)).toMatchObject({ status: 401, body: error('Invalid X-Legacy-Key') });
  });

  test('a compat key is good for nothing else', async () => {
    await start();
    expect((await api.post({ event: 'a', data: {} }, { 'x-api-key': legacyKey })).status).toBe(401);
    expect((await api.status('evt_x', legacyKey)).status).toBe(401);
  });

  test('without a published profile, every path is 404', async () => {
    await start();
    api.published.get(connectorId)!.ingressProfile = null;
    for (const path of ['orders/import', 'api/check/x', `/api/v1/compat/${connectorId}`, '/api/v1/compat', '/api/v1/compat/x/orders'])
      expect(await call(path, orders('1'))).toMatchObject({ status: 404, body: error('Not found') });
  });

  test.each<[string, Parameters<typeof aConnector>[0], number, string]>([
    ['paused', { status: 'paused' }, 423, 'Connector is paused, ingestion is blocked'],
    ['suspended', { organization: { state: 'suspended' } }, 423, 'org_suspended'],
    ['closing', { organization: { state: 'closing' } }, 423, 'org_closing'],
  ])('while %s', async (_title, change, status, message) => {
    await start({}, change);
    expect(await call('orders/import', orders('1'))).toMatchObject({ status, body: error(message) });
  });

  test('beyond the events of the month: 429 until they begin anew, and nothing is stored', async () => {
    await start({}, { organization: { tier: 'free', limits: { events_limit: 2 } } });
    expect((await call('orders/import', orders('1', '2'))).status).toBe(200);
    const refused = await call('orders/import', orders('3'));
    expect(refused).toMatchObject({ status: 429, body: error('Monthly event quota exceeded') });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(api.messages()).toHaveLength(2);
  });

  test('beyond the requests of a second', async () => {
    await start({}, { organization: { tier: 'free' } }, { rateLimitScale: 1 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('orders/import', orders('1'))));
    const refused = answers.find(({ status }) => status === 429)!;
    expect([refused.body, refused.headers.get('retry-after')]).toEqual([error('Rate limit exceeded for org'), '1']);
  });
});

describe('failed authentications', () => {
  const guess = (path: string, at: number) => call(path, orders('1'), { 'x-legacy-key': `guess ${at}` });

  test('lock their address after twenty over all paths, also for a good key, and no other address', async () => {
    await start({}, {}, { trustProxy: 1 });
    const paths = ['orders/import', 'api/check/x', 'api/resend/all/x'];
    for (let at = 0; at < 20; at += 1) expect((await guess(paths[at % 3]!, at)).status).toBe(401);
    for (const path of paths) {
      const locked = await call(path, orders('1'));
      expect(locked).toMatchObject({ status: 429, body: error('Too many failed authentications') });
      expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    }
    expect((await call('orders/import', orders('1'), { 'x-forwarded-for': '192.0.2.9' })).status).toBe(200);
  });

  test('are forgotten after fifteen minutes', async () => {
    await start();
    for (let guessed = 0; guessed < 20; guessed += 1) await guess('orders/import', guessed);
    expect((await call('orders/import', orders('1'))).status).toBe(429);
    api.faults.now = Date.now() + 901_000;
    expect((await call('orders/import', orders('1'))).status).toBe(200);
  });
});

describe('a check', () => {
  test('answers from the first instant, with the body as it came', async () => {
    await start();
    const sent = orders('B', 'A');
    const { callId } = (await call('orders/import', sent)).body;
    const { createdAt, updatedAt, ...rest } = await check(callId);
    expect(rest).toEqual({ result: 'ok', callId, callRequest: sent, callStatus: 'InProgress', callError: [{}] });
    expect([createdAt, updatedAt]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/), createdAt]);
  });

  test('works while the connector is paused, and is 404 for ids of others and for invented ones', async () => {
    await start();
    const { callId } = (await call('orders/import', orders('1'))).body;
    await api.announce(aConnector({ revision: 2, status: 'paused' }));
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    expect(await check(callId)).toMatchObject({ callStatus: 'InQueue' });
    for (const id of ['nonsense', `${callId}x`, callId.toLowerCase(), 'evt_AaH7ZxgAAS04tearDAIZkfAMW0psHiahOBZk9QAS'])
      expect(await call(`api/check/${id}`)).toMatchObject({ status: 404, body: error('callId not found') });
  });

  test('says that a call has expired, also once it is deleted', async () => {
    await start({}, {}, { compatRetentionMs: 60_000 });
    const { callId } = (await call('orders/import', orders('1'))).body;
    api.faults.now = Date.now() + 61_000;
    const expired = { status: 410, body: error('callId expired') };
    expect(await call(`api/check/${callId}`)).toMatchObject(expired);
    expect(await api.compatCalls.deleteOlder(60_000)).toBe(1);
    expect(await call(`api/check/${callId}`)).toMatchObject(expired);
    expect(await call(`api/resend/all/${callId}`)).toMatchObject(expired);
  });

  test('without the database: 503', async () => {
    await start();
    const { callId } = (await call('orders/import', orders('1'))).body;
    api.faults.databaseDown = true;
    expect(await call(`api/check/${callId}`)).toMatchObject({ status: 503, body: { result: 'service_unavailable' } });
    expect(await call('orders/import', orders('1'))).toMatchObject({ status: 503, body: { result: 'service_unavailable' } });
    expect(api.messages()).toHaveLength(1);
  });
});

describe('a resend', () => {
  test('runs every record again, later than what is newer, and moves the time', async () => {
    await start();
    const { callId } = (await call('orders/import', orders('1', '2'))).body;
    const before = await check(callId);
    await new Promise((resolve) => { setTimeout(resolve, 5); });
    expect(await call(`API/Resend/Again/${callId}`)).toMatchObject({ status: 200, body: { result: 'ok', callId } });
    const again = api.envelopes().filter(({ run }) => run !== 'first');
    expect(again).toMatchObject([0, 1].map((index) => ({
      event_id: callId, entity_index: index, entities_total: 2, kind: 'resend', run: expect.stringMatching(/^resend-/) as string,
      accepted_at: before.createdAt, replayed_at: expect.any(String) as string, payload: { externalObjectId: String(index + 1) },
    })));
    const after = await check(callId);
    expect(after).toMatchObject({ createdAt: before.createdAt, callStatus: 'InProgress' });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
  });

  test('does not count toward the quota', async () => {
    await start({}, { organization: { tier: 'free', limits: { events_limit: 2 } } });
    const { callId } = (await call('orders/import', orders('1', '2'))).body;
    expect((await call(`api/resend/all/${callId}`)).status).toBe(200);
    expect(api.messages()).toHaveLength(4);
  });

  test.each([['an unknown action', 'other'], ['an action of other events', 'all']])(
    'is 400 with %s', async (_title, action) => {
      await start();
      const { callId } = (await call('typed', { ...orders('1'), event: 'customer' })).body;
      expect(await call(`api/resend/${action}/${callId}`)).toMatchObject({ status: 400, body: error('Action does not apply to the call') });
      expect(api.messages()).toHaveLength(1);
    });

  test('is 404 for a call that is not there, 423 while the connector is paused', async () => {
    await start();
    const { callId } = (await call('orders/import', orders('1'))).body;
    expect(await call('api/resend/all/nonsense')).toMatchObject({ status: 404, body: error('callId not found') });
    await api.announce(aConnector({ revision: 2, status: 'paused' }));
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    expect((await call(`api/resend/all/${callId}`)).status).toBe(423);
  });

  test('queues what was not queued, as the call that it was', async () => {
    await start({}, { organization: { tier: 'free', limits: { events_limit: 2 } } });
    api.faults.publish = 'refused';
    const refused = await call('orders/import', orders('1', '2'));
    const { callId } = refused.body;
    expect(refused).toMatchObject({
      status: 503,
      body: {
        result: 'service_unavailable', message: 'Some events could not be queued',
        callId: expect.stringMatching(/^evt_/) as string,
      },
    });
    expect((await check(callId)).callStatus).toBe('InQueue');
    delete api.faults.publish;
    expect((await call(`api/resend/all/${callId}`)).status).toBe(200);
    expect(api.envelopes().filter(({ run }) => run === 'first')).toHaveLength(2);
    expect((await check(callId)).callStatus).toBe('InProgress');
  });

  test('of a call that may be in the log sends it under the same ids, which the runner knows', async () => {
    await start();
    api.faults.publish = 'unknown';
    const { body: { callId }, status } = await call('orders/import', orders('1'));
    expect([status, api.messages().length]).toEqual([503, 1]);
    delete api.faults.publish;
    expect((await call(`api/resend/all/${callId}`)).status).toBe(200);
    expect(api.envelopes()).toMatchObject([1, 2].map(() => ({ event_id: callId, entity_index: 0, run: 'first' })));
  });
});

describe('the fallback', () => {
  const asked: { method?: string | undefined; url?: string | undefined; key: unknown; body: string }[] = [];

  async function startLegacy(): Promise<string> {
    asked.length = 0;
    legacy = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        asked.push({
          method: request.method, url: request.url, key: request.headers['x-legacy-key'], body: Buffer.concat(chunks).toString(),
        });
        response.writeHead(203, { 'content-type': 'application/json' }).end('{"result":"ok","callId":"legacy-1"}');
      });
    });
    const server = legacy;
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('gets what Sluice does not know, with key and body, and its answer comes back', async () => {
    await start({ fallback: { base_url: `${await startLegacy()}/old/` } });
    const answer = { status: 203, body: { result: 'ok', callId: 'legacy-1' } };
    expect(await call('Invoices/Import?x=1', { a: 1 })).toMatchObject(answer);
    expect(await call('api/check/17')).toMatchObject(answer);
    expect(await call('api/resend/all/17')).toMatchObject(answer);
    expect(asked).toEqual([
      { method: 'POST', url: '/old/Invoices/Import?x=1', key: legacyKey, body: '{"a":1}' },
      { method: 'POST', url: '/old/api/check/17', key: legacyKey, body: '' },
      { method: 'POST', url: '/old/api/resend/all/17', key: legacyKey, body: '' },
    ]);
    expect((await call('orders/import', orders('1'))).body.callId).toMatch(/^evt_/);
    expect((await call('invoices', {}, { 'x-legacy-key': 'x' })).status).toBe(401);
    expect(asked).toHaveLength(3);
  });

  test('that does not answer is 502, one that is switched off is not asked', async () => {
    await start({ fallback: { base_url: 'http://127.0.0.1:1' } });
    expect(await call('invoices', {})).toMatchObject({ status: 502, body: error('The fallback service does not answer') });
    await api.stop();
    await start({ fallback: { base_url: await startLegacy(), enabled: false } });
    expect(await call('invoices', {})).toMatchObject({ status: 404, body: error('Not found') });
    expect(asked).toEqual([]);
  });

  test('in a private network is not called where the installation does not allow it', async () => {
    await start({ fallback: { base_url: await startLegacy() } }, {}, { allowPrivateTargets: false });
    expect((await call('invoices', {})).status).toBe(502);
    expect(asked).toEqual([]);
  });
});

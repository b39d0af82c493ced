import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { aConnector, connectorId } from '@sluice/connector-feed/testing';
import type { Source } from '@sluice/contracts';
import { urlToken } from '@sluice/sources';
import { eventually, startIngestApi, type TestIngestApi } from '../test-support/start-ingest-api';

const secret = 'the secret of the shop';
const unsigned = '5f0c1c9e-0000-4000-8000-000000000002';
const hook = (config: Record<string, unknown> = {}, name = 'shop'): Source => ({ name, type: 'webhook', config });
const mac = (text: string | Buffer, key = secret): string => createHmac('sha256', key).update(text).digest('hex');

let api: TestIngestApi;
afterEach(() => api.stop());

/** ingest-api with one webhook `shop`, unless a test says otherwise. */
async function start(
  config: Record<string, unknown> = {},
  change: Parameters<typeof aConnector>[0] = {},
  settings: Parameters<typeof startIngestApi>[1] = {},
): Promise<void> {
  api = await startIngestApi([aConnector(change)], settings);
  publish(hook(config), hook({}, 'other'), { name: 'ticks', type: 'scheduled', config: { schedule: '@daily' } });
}
const publish = (...sources: Source[]): void => {
  const secrets = Object.fromEntries(sources.map(({ name }) => [name, secret]));
  api.published.set(connectorId, { sources, secrets, ingressProfile: null });
};

interface Sent {
  body?: string | Buffer;
  headers?: Record<string, string | undefined>;
  source?: string;
  method?: string;
}

const send = ({ body = '{}', headers = {}, method = 'POST', source = 'shop' }: Sent = {}) => {
  const given = Object.entries({ 'content-type': 'application/json', 'x-signature': mac(body), ...headers });
  return api.send(`/api/webhooks/${connectorId}/${source}`, {
    method, ...(method === 'GET' ? {} : { body: new Uint8Array(Buffer.from(body)) }),
    headers: Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  });
};
const json = (value: unknown, more: Omit<Sent, 'body'> = {}) => send({ ...more, body: JSON.stringify(value) });
const invalid = { status: 401, body: { detail: 'Invalid signature' } };

describe('a call', () => {
  test('becomes an event of the source: 202 once it is in the log', async () => {
    await start({ event_type_path: '$.topic', external_id_path: '$.id' }, { organization: { per_record_ordering: true } });
    const { body, headers, status } = await json({ topic: 'order.created', id: 17 }, { headers: { 'x-request-id': 'req-1' } });
    expect([status, body]).toEqual([202, { event_id: expect.stringMatching(/^evt_[\w-]{40}$/) as string, status: 'processing' }]);
    expect(headers.get('x-request-id')).toBe('req-1');
    expect(api.envelopes()).toMatchObject([{
      event_id: body.event_id, source_name: 'shop', source_type: 'webhook', event_type: 'order.created', external_id: '17', run: 'first',
      kind: 'live', lane: `${connectorId}:17`, payload: { topic: 'order.created', id: 17 }, request_id: 'req-1',
    }]);
    expect(JSON.stringify(api.envelopes())).not.toContain(mac(JSON.stringify({ topic: 'order.created', id: 17 })));
  });

  test('may be a form: fields with several values are lists', async () => {
    await start();
    const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    expect((await send({ body: 'a=1&b=x%20y&b=z&__proto__=p', headers: form })).status).toBe(202);
    expect(JSON.stringify(api.envelopes()[0]!.payload)).toBe('{"a":"1","b":["x y","z"],"__proto__":"p"}');
  });

  test('is signed as it was sent, packed or not', async () => {
    await start();
    const packed = gzipSync('{"packed":true}');
    expect((await send({ body: packed, headers: { 'content-encoding': 'gzip' } })).status).toBe(202);
    const signedUnpacked = { 'content-encoding': 'gzip', 'x-signature': mac('{"packed":true}') };
    expect(await send({ body: packed, headers: signedUnpacked })).toMatchObject(invalid);
    expect(api.envelopes()).toMatchObject([{ payload: { packed: true } }]);
  });

  test('of a list becomes an event for each element, all in one answer', async () => {
    await start({ split_path: '$.items', event_type_path: '$.kind' });
    const { body } = await json({ kind: 'changed', items: [{ n: 1 }, { n: 2, kind: 'created' }] });
    expect(body).toEqual({ event_ids: [expect.stringMatching(/^evt_/), expect.stringMatching(/^evt_/)], status: 'processing' });
    expect(api.messages()).toHaveLength(2);
    const typeOf = (id: string) => api.envelopes().find(({ event_id }) => event_id === id)!.event_type;
    expect((body.event_ids as string[]).map(typeOf)).toEqual(['changed', 'created']);
    expect(await json({ items: [] })).toMatchObject({ status: 202, body: { event_ids: [], status: 'processing' } });
  });
});

describe('a call that is refused', () => {
  test.each<[string, Sent, number, unknown]>([
    ['without a signature', { headers: { 'x-signature': undefined } }, 401, 'Invalid signature'],
    ['with another one', { headers: { 'x-signature': mac('other') } }, 401, 'Invalid signature'],
    ['unsigned and empty', { body: '', headers: { 'x-signature': undefined } }, 401, 'Invalid signature'],
    ['unsigned and malformed', { body: '{', headers: { 'x-signature': 'x' } }, 401, 'Invalid signature'],
    ['empty', { body: '' }, 400, 'Empty body'],
    ['malformed', { body: '{"a":' }, 400, 'Malformed JSON'],
    ['a form that says it is JSON', { body: 'a=1' }, 400, 'Malformed JSON'],
    ['text', { body: 'hello', headers: { 'content-type': 'text/plain' } }, 415, 'Unsupported content type'],
    ['a multipart form', { headers: { 'content-type': 'multipart/form-data; boundary=x' } }, 415, 'Unsupported content type'],
    ['of an unknown coding', { headers: { 'content-encoding': 'zstd' } }, 415, 'Unsupported content encoding'],
    ['that is not packed as it says', { body: '{}', headers: { 'content-encoding': 'gzip' } }, 400, 'Malformed JSON'],
    ['a number', { body: '5' }, 422, [expect.objectContaining({ type: 'type_error', loc: ['body'] })]],
    ['nested too deep', { body: '['.repeat(300) + ']'.repeat(300) }, 422, [expect.objectContaining({ loc: ['body'] })]],
    ['to no webhook', { source: 'ticks' }, 404, 'Not Found'],
    ['to no source', { source: 'none' }, 404, 'Not Found'],
    ['to a name that is none', { source: '%zz' }, 404, 'Not Found'],
    ['below a source', { source: 'shop/more' }, 404, 'Not Found'],
    ['read', { method: 'GET' }, 405, 'Method Not Allowed'],
  ])('%s', async (_title, sent, status, detail) => {
    await start();
    expect(await send(sent)).toMatchObject({ status, body: { detail } });
    expect(api.messages()).toEqual([]);
  });

  test('without the type that its source reads: 422 that names the place', async () => {
    await start({ event_type_path: '$.topic' });
    expect(await json({ a: 1 })).toMatchObject({
      status: 422, body: {
        detail: [{ type: 'missing', loc: ['body', 'event_type'], msg: 'Field required at $.topic', input: null }],
      },
    });
  });

  test('over 5 MiB: 413, before anything is checked', async () => {
    await start();
    const large = { status: 413, body: { detail: { error: 'payload_too_large', limit_bytes: 5_242_880 } } };
    expect(await send({ body: `"${'x'.repeat(5_242_880)}"`, headers: { 'x-signature': 'x' } })).toMatchObject(large);
    const bomb = gzipSync(Buffer.alloc(6_000_000, 0x20));
    expect((await send({ body: bomb, headers: { 'content-encoding': 'gzip' } })).status).toBe(413);
  });

  test('of an unknown connector, as of an unknown source', async () => {
    await start();
    const unknown = await api.send(`/api/webhooks/${unsigned}/shop`, { method: 'POST', body: '{}' });
    const source = await send({ source: 'none' });
    const other = await send({ source: 'ticks' });
    for (const { body, status } of [unknown, source, other]) expect([status, body]).toEqual([404, { detail: 'Not Found' }]);
    expect((await api.send('/api/webhooks/nonsense/shop', { method: 'POST', body: '{}' })).status).toBe(404);
    expect((await api.send('/api/webhooks', { method: 'POST', body: '{}' })).status).toBe(404);
  });

  test('to a source that is switched off: 410', async () => {
    await start();
    api.published.get(connectorId)!.off = ['shop'];
    expect(await send()).toMatchObject({ status: 410, body: { detail: { error: 'webhook_source_disabled' } } });
    expect((await send({ source: 'other' })).status).toBe(202);
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
    expect(api.messages()).toHaveLength(status === 202 ? 1 : 0);
  });

  test('the quota counts the events of a call as a whole', async () => {
    await start({ split_path: '$' }, { organization: { tier: 'free', limits: { events_limit: 3 } } });
    expect((await json([1, 2])).status).toBe(202);
    expect(await json([1, 2])).toMatchObject(
      { status: 429, body: { detail: { error: 'quota_exceeded', events_used_this_period: 2 } } },
    );
    expect((await json([1])).status).toBe(202);
    expect(api.messages()).toHaveLength(3);
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

describe('the same call again', () => {
  test('is the same event by its dedupe value, per source, and nothing is queued again', async () => {
    await start({ dedupe_header: 'X-Delivery' });
    publish(hook({ dedupe_header: 'X-Delivery' }), hook({ dedupe_path: '$.id' }, 'other'));
    const call = (id: string, n: number) => json({ n }, { headers: { 'x-delivery': id } });
    const first = (await call('d1', 1)).body;
    expect((await call('d1', 2)).body).toEqual(first);
    expect((await call('d2', 1)).body.event_id).not.toBe(first.event_id);
    const other = await json({ id: 'd1' }, { source: 'other' });
    expect(other.body.event_id).not.toBe(first.event_id);
    expect((await json({ id: 'd1', more: 1 }, { source: 'other' })).body).toEqual(other.body);
    expect((await json({ none: 1 }, { source: 'other' })).body.event_id).not.toBe(other.body.event_id);
    expect(api.messages()).toHaveLength(4);
  });

  test('at the same moment is queued once; calls with an event without a dedupe value are never the same', async () => {
    await start({ split_path: '$', dedupe_path: '$.id' });
    const together = (body: unknown) => Promise.all([1, 2, 3].map(() => json(body)));
    const lists = (answers: Awaited<ReturnType<typeof together>>) =>
      new Set(answers.map(({ status, body }) => `${status} ${body.event_ids}`));
    expect(lists(await together([{ id: 1 }, { id: 2 }])).size).toBe(1);
    expect(api.messages()).toHaveLength(2);
    expect(lists(await together([{ id: 3 }, { n: 4 }])).size).toBe(3);
    expect(lists(await together([])).size).toBe(1);
  });

  test('keeps its id while the key-value store is away, so that it runs once', async () => {
    await start({ dedupe_path: '$.id' });
    const first = (await json({ id: 1 })).body;
    api.faults.kvDown = true;
    expect((await json({ id: 1 })).body).toEqual(first);
    expect(new Set(api.envelopes().map(({ event_id }) => event_id)).size).toBe(1);
    expect(api.envelopes()[0]!.aliases!.length).toBeGreaterThan(0);
  });

  test('in a list: an element that came before keeps its id, and one that is there twice is queued once', async () => {
    await start({ split_path: '$', dedupe_path: '$.id' });
    const [one] = (await json([{ id: 1 }])).body.event_ids as string[];
    const ids = (await json([{ id: 2 }, { id: 1 }, { id: 2 }])).body.event_ids as string[];
    expect(ids).toEqual([ids[0], one, ids[0]]);
    expect(api.messages()).toHaveLength(2);
  });

  test('is queued when the first one was not', async () => {
    await start({ dedupe_path: '$.id' });
    api.faults.publish = 'refused';
    expect(await json({ id: 1 })).toMatchObject({ status: 503, body: { detail: { error: 'event_ingestion_unavailable' } } });
    api.faults.publish = 'unknown';
    expect((await json({ id: 1 })).status).toBe(502);
    delete api.faults.publish;
    expect((await json({ id: 1 })).status).toBe(202);
    expect(api.messages().length).toBeGreaterThan(0);
  });

  test('signed with the same time is recognized, signed with another one it is not', async () => {
    await start({ signature_timestamp_header: 'X-Time' });
    const at = (time: number) => {
      const text = String(Math.floor(time / 1_000));
      return { 'x-time': text, 'x-signature': mac(`${text}.{}`) };
    };
    const now = Date.now();
    const first = (await send({ headers: at(now) })).body;
    expect((await send({ headers: at(now) })).body).toEqual(first);
    expect((await send({ headers: at(now - 2_000) })).body.event_id).not.toBe(first.event_id);
    expect(await send({ headers: at(now - 400_000) })).toMatchObject(invalid);
  });
});

describe('what is published', () => {
  const later = (revision: number) => aConnector({ revision });

  test('is read once, and again when the connector changes', async () => {
    await start();
    await Promise.all([send(), send(), send({ source: 'other' })]);
    await send();
    expect(api.sourceReads).toHaveLength(1);
    await api.announce(later(2));
    await eventually('it is read again', () => api.sourceReads.length === 2);
    expect((await send()).status).toBe(202);
    expect(api.sourceReads).toHaveLength(2);
  });

  test('a new secret works at once, also before the topic tells of it, and then the old one does not', async () => {
    await start();
    expect((await send()).status).toBe(202);
    api.published.set(connectorId, { sources: [hook()], secrets: { shop: 'newer' }, ingressProfile: null });
    api.database.push(later(2));
    const newer = { 'x-signature': mac('{}', 'newer') };
    expect((await send({ headers: newer })).status).toBe(202);
    expect(await send()).toMatchObject(invalid);
    expect((await send({ headers: newer })).status).toBe(202);
  });

  test('a source that was just published is found before the topic tells of it', async () => {
    await start();
    await send();
    expect((await send({ source: 'third' })).status).toBe(404);
    publish(hook(), hook({}, 'fourth'));
    api.database.push(later(2));
    expect((await send({ source: 'fourth' })).status).toBe(202);
  });

  test('calls go on for what is in memory while the database is away; others are asked to come again', async () => {
    await start();
    await send();
    api.faults.databaseDown = true;
    expect((await send()).status).toBe(202);
    expect(await send({ headers: { 'x-signature': 'x' } })).toMatchObject(invalid);
    expect((await send({ source: 'none' })).status).toBe(503);
  });

  test('a secret that cannot be opened verifies nothing, and the log says so', async () => {
    await start();
    const published = { sources: [hook()], secrets: { shop: secret }, ingressProfile: null };
    api.published.set(connectorId, { ...published, unreadable: ['shop'] });
    expect(await send()).toMatchObject(invalid);
    expect(api.lines).toContainEqual(expect.objectContaining({
      level: 'error', message: 'the secret of a webhook cannot be opened: rotate it',
      fields: expect.objectContaining({ connector_id: connectorId, source: 'shop' }) as object,
    }));
    api.published.set(connectorId, published);
    await api.announce(later(2));
    await eventually('the rotated secret is read', async () => (await send()).status === 202);
  });

  test('what has changed since is not taken by what memory knew, also where it cannot be read', async () => {
    await start();
    expect((await send()).status).toBe(202);
    api.faults.databaseDown = true;
    await api.announce(later(2));
    await eventually('the change is known and cannot be read', async () => (await send()).status === 503);
    api.published.set(connectorId, { sources: [hook()], secrets: { shop: secret }, off: ['shop'], ingressProfile: null });
    api.faults.databaseDown = false;
    expect((await send()).status).toBe(410);
  });

  test('a source without signatures takes whoever knows its URL, and its name alone is not enough', async () => {
    await start();
    publish(hook({ verify_signature: 'none' }), hook({}, 'other'));
    const none = { 'x-signature': undefined };
    expect((await send({ source: `shop/${urlToken(secret)}`, headers: none })).status).toBe(202);
    expect((await send({ source: 'shop' })).status).toBe(404);
    expect((await send({ source: `shop/${urlToken('other')}` })).status).toBe(404);
    expect((await send({ source: `other/${urlToken(secret)}`, headers: none })).status).toBe(404);
  });

  test('what sources did last is noted', async () => {
    await start();
    await send();
    await send({ source: 'other', headers: { 'x-signature': 'x' } });
    await send({ source: 'other', body: '5' });
    await api.stop();
    expect(api.activities).toEqual([
      { connectorId, name: 'shop', lastEventAt: expect.any(Date) as Date, lastError: null },
      { connectorId, name: 'other', lastError: '422 body: Input should be an object or a list' },
    ]);
    api = await startIngestApi([]);
  });
});

import { gzipSync } from 'node:zlib';
import { type ConnectorKey, maxKeysInChange } from '@sluice/contracts';
import { setupTracing, sha256Hex } from '@sluice/service-kit';
import { aConnector, connectorId, rawKey } from '@sluice/connector-feed/testing';
import { eventually, startIngestApi, type TestIngestApi } from '../test-support/start-ingest-api';

let api: TestIngestApi | undefined;
const start = async (...given: Parameters<typeof startIngestApi>): Promise<TestIngestApi> =>
  (api = await startIngestApi(...given));
afterEach(async () => {
  await api?.stop();
  api = undefined;
});

const order = { event: 'order.created', data: { id: 'A-1' } };
const contact = (id: string) => ({ type: 'contact', externalObjectId: id, properties: {} });

describe('401', () => {
  test('a key that connector.changes has not delivered is looked up once, a key that does not exist once a second', async () => {
    const { post, lookUps, database, faults } = await start([]);
    faults.now = 1_800_000_000_000;
    expect((await post(order)).status).toBe(401);
    database.push(aConnector());
    expect((await post(order)).status).toBe(401);
    expect(lookUps).toHaveLength(1);
    faults.now += 1_001;
    expect((await post(order)).status).toBe(202);
    expect((await post(order)).status).toBe(202);
    expect(lookUps).toHaveLength(2);
  });

  test('the store learns that a key was used only when the key is valid', async () => {
    const ingest = await start([aConnector()]);
    await ingest.post(order, { 'x-api-key': 'slc_other' });
    await ingest.post(order);
    await ingest.status('evt_unknown');
    api = undefined;
    await ingest.stop();
    expect(ingest.keysUsed).toEqual([sha256Hex(rawKey)]);
  });

  test('503 when the database is away and the key is not in memory; a key in memory still works', async () => {
    const { post, faults } = await start([aConnector()]);
    faults.databaseDown = true;
    expect(await post(order, { 'x-api-key': 'slc_other' })).toMatchObject({
      status: 503,
      body: { detail: { error: 'event_ingestion_unavailable' } },
    });
    expect((await post(order)).status).toBe(202);
  });

  test('a key that its connector change has no room for is looked up, and revoked by the next change', async () => {
    const others: ConnectorKey[] = Array.from({ length: maxKeysInChange }, (_, index) => ({
      id: `n${index}`,
      hash: sha256Hex(`newer ${index}`),
      expires_at: null,
    }));
    const { post, announce, database, lookUps } = await start([aConnector({ keys: others })]);
    database.push(aConnector({ keys: [...others, ...aConnector().keys] }));
    expect([(await post(order)).status, (await post(order)).status, lookUps.length]).toEqual([202, 202, 1]);
    database[0] = aConnector({ revision: 2, keys: others });
    await announce(database[0]!);
    await eventually('the key is gone', async () => (await post(order)).status === 401);
  });

  test('a key is refused once its revocation arrives, once it expires, and once its connector is deleted', async () => {
    const { post, announce } = await start([aConnector({ keys: [...aConnector().keys] })]);
    await announce(aConnector({ revision: 2, keys: [] }));
    await eventually('the key is gone', async () => (await post(order)).status === 401);
    await announce(aConnector({ revision: 1 }));
    await announce(
      aConnector({ revision: 3, keys: aConnector().keys.map((key) => ({ ...key, expires_at: '2020-01-01T00:00:00Z' })) }),
    );
    expect((await post(order)).status).toBe(401);
    await announce(aConnector({ revision: 4 }));
    await eventually('the key is back', async () => (await post(order)).status === 202);
    await announce(aConnector({ revision: 5, deleted: true }));
    await eventually('the connector is gone', async () => (await post(order)).status === 401);
  });
});

test('413 for more than 10 MiB exactly, counted after decompression', async () => {
  const { post, url } = await start([aConnector()]);
  const limit = 10 * 1024 * 1024;
  const ofSize = (bytes: number): string => `${JSON.stringify(order)}${' '.repeat(bytes - JSON.stringify(order).length)}`;
  expect((await post(ofSize(limit))).status).toBe(202);
  const tooLarge = { detail: { error: 'payload_too_large', limit_bytes: limit } };
  expect(await post(ofSize(limit + 1))).toMatchObject({ status: 413, body: tooLarge });
  const packed = async (bytes: Buffer) => {
    const response = await fetch(`${url}/api/v1/events`, {
      method: 'POST',
      headers: { 'x-api-key': rawKey, 'content-encoding': 'gzip' },
      body: bytes,
    });
    return { status: response.status, body: await response.json() };
  };
  expect(await packed(gzipSync(ofSize(limit + 1)))).toMatchObject({ status: 413, body: tooLarge });
  expect(await packed(gzipSync(ofSize(1_000)))).toMatchObject({ status: 202 });
  expect(await packed(Buffer.from('no gzip'))).toMatchObject({ status: 400 });
});

test('400 malformed JSON comes before validation and after the key', async () => {
  const { post } = await start([aConnector({ status: 'paused' })]);
  expect(await post('{"event":')).toMatchObject({ status: 400, body: { detail: 'Malformed JSON' } });
  expect(await post('{"event":', { 'x-api-key': 'x' })).toMatchObject({ status: 401 });
});

describe('422', () => {
  const cases: [string, unknown, [string, ...(string | number)[]][]][] = [
    ['nothing', '', [['missing', 'body']]],
    ['a list', [], [['dict_type', 'body']]],
    [
      'an empty object',
      {},
      [
        ['missing', 'body', 'event'],
        ['missing', 'body', 'data'],
      ],
    ],
    ['data and entities', { ...order, entities: [contact('1')] }, [['value_error', 'body', 'entities']]],
    ['entities without event', { entities: [contact('1')] }, [['missing', 'body', 'event']]],
    ['a stray payload', { ...order, payload: {} }, [['extra_forbidden', 'body', 'payload']]],
    ['an unknown key', { ...order, nope: 1 }, [['extra_forbidden', 'body', 'nope']]],
    ['a record key that is too long', { ...order, recordKey: 'x'.repeat(257) }, [['string_too_long', 'body', 'recordKey']]],
    ['no time', { ...order, timestamp: 'yesterday' }, [['datetime_parsing', 'body', 'timestamp']]],
    ['no entities', { event: 'e', entities: [] }, [['too_short', 'body', 'entities']]],
    [
      'too many entities',
      { event: 'e', entities: Array.from({ length: 201 }, (_, id) => contact(String(id))) },
      [['too_long', 'body', 'entities']],
    ],
    [
      'entities with holes',
      { event: 'e', entities: [{ type: 'contact' }, { ...contact('1'), externalObjectId: 5 }] },
      [
        ['missing', 'body', 'entities', 0, 'externalObjectId'],
        ['missing', 'body', 'entities', 0, 'properties'],
        ['string_type', 'body', 'entities', 1, 'externalObjectId'],
      ],
    ],
    [
      'an id that no column can hold',
      { event: 'e', entities: [contact('a\0b')] },
      [['string_pattern_mismatch', 'body', 'entities', 0, 'externalObjectId']],
    ],
    [
      'all at once',
      { data: [], storeId: 1, recordKey: 'x'.repeat(257), timestamp: '2026-02-30' },
      [
        ['missing', 'body', 'event'],
        ['dict_type', 'body', 'data'],
        ['string_type', 'body', 'storeId'],
        ['string_too_long', 'body', 'recordKey'],
        ['datetime_parsing', 'body', 'timestamp'],
      ],
    ],
  ];
  test.each(cases)('%s', async (_name, body, problems) => {
    const { post, messages } = await start([aConnector()]);
    const answer = await post(body);
    expect(answer.status).toBe(422);
    const found = answer.body.detail.map(({ type, loc }: { type: string; loc: unknown[] }) => [type, ...loc]);
    expect(found.sort()).toEqual(problems.sort());
    for (const entry of answer.body.detail) expect(Object.keys(entry).sort()).toEqual(['input', 'loc', 'msg', 'type']);
    expect(messages()).toEqual([]);
  });

  test('an Idempotency-Key without 1 to 255 characters', async () => {
    const { post } = await start([aConnector()]);
    expect((await post(order, { 'idempotency-key': 'x'.repeat(256) })).status).toBe(422);
    expect((await post(order, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(202);
    expect((await post(order, { 'idempotency-key': '' })).status).toBe(422);
  });

  test('a body with thousands of errors is answered in bounded time and size', async () => {
    const { post } = await start([aConnector()]);
    const nonsense = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 1]));
    const answer = await post({
      ...nonsense,
      event: 'e',
      entities: [{ ...nonsense, ...contact('1') }, ...Array.from({ length: 100_000 }, () => ({}))],
    });
    expect(answer.status).toBe(422);
    expect(answer.body.detail.length).toBeLessThanOrEqual(100);
  });
});

describe('423', () => {
  test.each([
    [{ status: 'paused' as const }, 'Connector is paused, ingestion is blocked'],
    [{ status: 'error' as const }, 'Connector is paused, ingestion is blocked'],
    [{ organization: { state: 'suspended' as const } }, { error: 'org_suspended' }],
    [{ organization: { state: 'closing' as const } }, { error: 'org_closing' }],
    [{ organization: { state: 'closed' as const } }, { error: 'org_closing' }],
  ])('%j', async (change, detail) => {
    const { post, messages } = await start([aConnector(change)]);
    expect(await post(order)).toMatchObject({ status: 423, body: { detail } });
    expect((await post({})).status).toBe(422);
    expect(messages()).toEqual([]);
  });
});

describe('429', () => {
  test.each([false, true])('more requests than the rate of a second (key-value store down: %s)', async (kvDown) => {
    const { post, faults } = await start([aConnector({ organization: { tier: 'free', limits: { events_limit: null } } })], {
      rateLimitScale: 0.2,
    });
    Object.assign(faults, { now: 1_800_000_000_000, kvDown });
    expect([(await post(order)).status, (await post(order)).status]).toEqual([202, 202]);
    const refused = await post(order);
    expect([refused.status, refused.body]).toEqual([429, { detail: 'Rate limit exceeded for org' }]);
    expect(
      ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map((name) => refused.headers.get(name)),
    ).toEqual(['1', '2', '0', '1']);
    faults.now = 1_800_000_001_001;
    expect((await post(order)).status).toBe(202);
  });

  test.each([false, true])(
    'more events than the quota of the month; a request that does not fit counts nothing (key-value store down: %s)',
    async (kvDown) => {
      const { post, faults, index } = await start([aConnector({ organization: { tier: 'free', limits: { events_limit: 10 } } })]);
      Object.assign(faults, { now: Date.parse('2026-03-31T12:00:00Z'), kvDown });
      await index.write(
        [4, 5].map((entityIndex) => ({
          eventId: 'evt_before',
          entityIndex,
          entitiesTotal: 2,
          organizationId: aConnector().organization_id,
          connectorId,
          sourceName: 's',
          eventType: 'e',
          externalId: null,
          lane: connectorId,
          kind: 'live',
          run: 'first',
          acceptedAt: '2026-03-02T00:00:00.000Z',
          aliases: [],
          payload: null,
          payloadRef: null,
          payloadBytes: null,
          sourceType: null,
          timestamp: null,
          storeId: null,
          orderingEpoch: null,
          importRow: null,
        })),
      );
      const entities = (count: number) => ({
        event: 'sync',
        entities: Array.from({ length: count }, (_, id) => contact(String(id))),
      });
      expect((await post(entities(9))).status).toBe(429);
      expect((await post(entities(7))).status).toBe(202);
      expect(await post(entities(2))).toMatchObject({
        status: 429,
        body: {
          detail: {
            error: 'quota_exceeded',
            events_used_this_period: 9,
            tier: 'free',
            upgrade_url: 'https://sluice.test/billing',
            period_resets_at: '2026-04-01T00:00:00.000Z',
          },
        },
      });
      expect((await post(order)).status).toBe(202);
      expect((await post(order)).status).toBe(429);
      faults.now = Date.parse('2026-04-01T00:00:01Z');
      expect((await post(order)).status).toBe(202);
    },
  );

  test('a request that the log or the blob store refused is not counted', async () => {
    const { post, faults } = await start([aConnector({ organization: { tier: 'free', limits: { events_limit: 1 } } })]);
    faults.publish = 'refused';
    expect((await post(order)).status).toBe(503);
    faults.publish = undefined;
    faults.blobsDown = true;
    expect((await post({ event: 'e', data: { text: 'x'.repeat(300_000) } })).status).toBe(503);
    expect((await post(order)).status).toBe(202);
    expect((await post(order)).status).toBe(429);
  });
});

describe('the work budget', () => {
  /** A tenth of the usual limits. */
  const limited = () => start([aConnector()], { rateLimitScale: 0.1 });
  const statusesOf = async (count: number, call: () => Promise<{ status: number }>): Promise<number[]> => {
    const found = new Set<number>();
    for (let done = 0; done < count; done += 50)
      for (const { status } of await Promise.all(Array.from({ length: 50 }, call))) found.add(status);
    return [...found].sort();
  };

  test('refused requests are counted: over the budget every request of the key is refused before its body is read', async () => {
    const { post, faults } = await limited();
    faults.now = 1_800_000_000_000;
    expect(await statusesOf(100, () => post({}))).toEqual([422]);
    const over = await post(order);
    expect([over.status, over.body, over.headers.get('retry-after'), over.headers.get('x-ratelimit-limit')]).toEqual([
      429,
      { detail: 'Rate limit exceeded for org' },
      '1',
      '20',
    ]);
    expect((await post(order, { 'x-api-key': 'slc_other' })).status).toBe(401);
    faults.now += 1_000;
    expect((await post(order)).status).toBe(202);
  });

  test('status reads are counted', async () => {
    const { post, status, faults } = await limited();
    faults.now = 1_800_000_000_000;
    const { event_id: id } = (await post(order)).body;
    expect(await statusesOf(150, () => status(id))).toEqual([200]);
    expect(await status(id)).toMatchObject({ status: 429, body: { detail: 'Rate limit exceeded for org' } });
    expect((await post(order)).status).toBe(202);
    faults.now += 1_000;
    expect((await status(id)).status).toBe(200);
  });

  test('look-ups of keys that do not exist are limited per network', async () => {
    const { post, faults, lookUps } = await limited();
    faults.now = 1_800_000_000_000;
    for (let key = 0; key < 10; key += 1) expect((await post(order, { 'x-api-key': `slc_${key}` })).status).toBe(401);
    expect((await post(order, { 'x-api-key': 'slc_one more' })).status).toBe(429);
    expect([lookUps.length, (await post(order)).status]).toEqual([10, 202]);
  });

  test.each([
    ['names', () => `{"event":"e",${Array.from({ length: 700_000 }, (_, index) => `"k${index}":1`).join()}}`, 422],
    ['brackets', () => `{"event":"e","data":{"a":[${'[],'.repeat(3_000_000)}1]}}`, 422],
    ['levels', () => `{"event":"e","data":{"a":${'['.repeat(4_000_000)}${']'.repeat(4_000_000)}}}`, 422],
    ['an unclosed bracket', () => `${' '.repeat(9_000_000)}{"event":[1}`, 400],
  ])('10 MiB of %s are refused without being parsed', async (_what, make, status) => {
    const { post } = await limited();
    const parse = jest.spyOn(JSON, 'parse');
    const text = make();
    const answer = await post(text);
    expect([answer.status, parse.mock.calls.some(([given]) => String(given).length > 1_000_000)]).toEqual([status, false]);
    parse.mockRestore();
  });
});

describe('502 and 503', () => {
  test('503 when nothing reached the log', async () => {
    const { post, faults, messages } = await start([aConnector()]);
    faults.publish = 'refused';
    expect(await post(order)).toMatchObject({ status: 503, body: { detail: { error: 'event_ingestion_unavailable' } } });
    expect(messages()).toEqual([]);
  });

  test.each(['unknown', 'lost'] as const)(
    '502 with the event id when it is unknown whether the log has it (%s); the same key gives the same event',
    async (fate) => {
      const { post, faults } = await start([aConnector()]);
      faults.publish = fate;
      const lost = await post(order, { 'idempotency-key': 'k' });
      expect([lost.status, lost.body.detail]).toEqual([
        502,
        { error: 'event_ingestion_outcome_unknown', event_id: expect.stringMatching(/^evt_/) },
      ]);
      faults.publish = undefined;
      expect(await post(order, { 'idempotency-key': 'k' })).toMatchObject({
        status: 202,
        body: { event_id: lost.body.detail.event_id },
      });
    },
  );

  test('502 when some partitions accepted it and some did not', async () => {
    const { post, faults, messages } = await start([aConnector({ width: 24 })]);
    const first = new Set<number>();
    faults.publishTo = (partition) => (first.size === 0 || first.has(partition) ? (first.add(partition), undefined) : 'refused');
    const { status } = await post({ event: 'sync', entities: ['a', 'b', 'c', 'd', 'e'].map(contact) });
    expect([status, messages().length > 0]).toEqual([502, true]);
  });

  test('a large payload goes to the blob store first; 503 when it is down', async () => {
    const { post, faults, blobs, envelopes } = await start([aConnector()]);
    const data = { text: 'x'.repeat(300_000) };
    faults.blobsDown = true;
    expect(await post({ event: 'e', data })).toMatchObject({
      status: 503,
      body: { detail: { error: 'attachment_store_unavailable' } },
    });
    expect(envelopes()).toEqual([]);
    faults.blobsDown = false;
    await post({ event: 'e', data });
    const [envelope] = envelopes();
    expect(envelope?.payload).toBeUndefined();
    expect(JSON.parse(String(await blobs.get(envelope?.payload_ref?.key ?? '')))).toEqual(data);
    expect(envelope?.payload_ref?.bytes).toBe(JSON.stringify(data).length);
  });
});

describe('around the path', () => {
  test('other methods and spellings', async () => {
    const { get, url } = await start([aConnector()]);
    const refused = await get('/api/v1/events');
    expect([refused.status, refused.headers.get('allow'), refused.body]).toEqual([405, 'POST', { detail: 'Method Not Allowed' }]);
    const slash = await fetch(`${url}/api/v1/events/`, {
      method: 'POST',
      headers: { 'x-api-key': rawKey },
      body: JSON.stringify(order),
    });
    expect(slash.status).toBe(202);
    expect((await get('/api/v1/other')).status).toBe(404);
    expect((await get('/readyz')).status).toBe(200);
  });

  test('the log line of a refused event and of a status read has organization, connector, key and address', async () => {
    const { post, status, lines } = await start([aConnector()], { trustProxy: 1 });
    const whose = {
      organization_id: aConnector().organization_id,
      connector_id: connectorId,
      principal: 'connector_key:k1',
      address: expect.any(String),
    };
    const lineOf = (id: string) =>
      lines.find(({ message, fields }) => message === 'request' && fields['request_id'] === id)?.fields;
    await post({}, { 'x-request-id': 'refused-1', 'x-forwarded-for': '203.0.113.7' });
    expect(lineOf('refused-1')).toMatchObject({ ...whose, address: '203.0.113.7', status: 422 });
    await post(order, { 'x-request-id': 'unknown-1', 'x-api-key': 'slc_other' });
    expect(lineOf('unknown-1')).toMatchObject({ address: expect.any(String), status: 401 });
    await status('evt_nothing');
    expect(lines.find(({ fields }) => fields['route'] === 'get_event_status')?.fields).toMatchObject({ ...whose, status: 404 });
  });

  test('every answer carries a request id; the trace of the caller travels on', async () => {
    setupTracing();
    const { post, messages } = await start([aConnector()]);
    const refused = await post({}, { 'x-request-id': 'not well formed!' });
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    await post(order);
    await post(order, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' });
    const [untraced, traced] = messages().map(({ headers }) => headers?.traceparent);
    expect(untraced).toBeUndefined();
    expect(traced).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
  });
});

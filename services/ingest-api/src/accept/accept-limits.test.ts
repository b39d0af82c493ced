import { aConnector, connectorId } from '@sluice/connector-feed/testing';
import { ingestApiOfTest } from '../test-support/ingest-api-of-test';
import { contact, order } from './test-support/requests';

const { start } = ingestApiOfTest();

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

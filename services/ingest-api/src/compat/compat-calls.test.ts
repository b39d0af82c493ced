import { type aConnector, connectorId } from '@sluice/connector-feed/testing';
import { StoreUnavailable } from '@sluice/ports';
import { compatShopOfTest, error, orders } from './test-support/compat-shop';

const { start, call, api } = compatShopOfTest();

describe('a call', () => {
  test('is stored and queued: 200 with its id; each item is a record, and its own data', async () => {
    await start({}, { organization: { per_record_ordering: true } });
    const { body, status } = await call('orders/import', { ...orders('A', 'B'), timestamp: '2026-03-02T10:00:00' });
    expect([status, body]).toEqual([200, { result: 'ok', callId: expect.stringMatching(/^evt_/) as string }]);
    expect(api().envelopes()).toMatchObject(['A', 'B'].map((id, index) => ({
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
    expect(api().envelopes()).toMatchObject(
      [{ event_type: 'stock.changed', payload: body, timestamp: '2026-03-02T10:00:00.000Z' }],
    );
    await call('typed', { ...orders('1'), event: 'customer' });
    expect(api().envelopes().map(({ event_type }) => event_type).sort()).toEqual(['customer', 'stock.changed']);
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
      expect(api().messages()).toEqual([]);
      expect(
        await call('api/check/No%20entities%20to%20process'),
      ).toMatchObject({ status: 404, body: error('callId not found') });
    });
});

describe('a call that cannot be stored', () => {
  test('is not queued: 503', async () => {
    await start();
    api().compatCalls.add = () => Promise.reject(new StoreUnavailable('down'));
    expect((await call('orders/import', orders('1'))).status).toBe(503);
    expect(api().messages()).toEqual([]);
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
    expect(api().messages()).toEqual([]);
  });

  test('by another method', async () => {
    await start();
    const answer = await call('orders/import', undefined, {}, 'GET');
    expect(answer).toMatchObject({ status: 405, body: error('Method Not Allowed') });
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test('without a published profile, every path is 404', async () => {
    await start();
    api().published.get(connectorId)!.ingressProfile = null;
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
    expect(api().messages()).toHaveLength(2);
  });

  test('beyond the requests of a second', async () => {
    await start({}, { organization: { tier: 'free' } }, { rateLimitScale: 1 });
    // All within one second, however slow the machine is.
    api().faults.now = Date.now();
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('orders/import', orders('1'))));
    const refused = answers.find(({ status }) => status === 429)!;
    expect([refused.body, refused.headers.get('retry-after')]).toEqual([error('Rate limit exceeded for org'), '1']);
  });
});

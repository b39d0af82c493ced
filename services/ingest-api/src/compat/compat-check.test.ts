import { aConnector } from '@sluice/connector-feed/testing';
import { until } from '@sluice/ports/testing';
import { compatShopOfTest, error, orders } from './test-support/compat-shop';

const { start, call, check, api } = compatShopOfTest();

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
    await api().announce(aConnector({ revision: 2, status: 'paused' }));
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    expect(await check(callId)).toMatchObject({ callStatus: 'InQueue' });
    for (const id of ['nonsense', `${callId}x`, callId.toLowerCase(), 'evt_AaH7ZxgAAS04tearDAIZkfAMW0psHiahOBZk9QAS'])
      expect(await call(`api/check/${id}`)).toMatchObject({ status: 404, body: error('callId not found') });
  });

  test('says that a call has expired, also once it is deleted', async () => {
    await start({}, {}, { compatRetentionMs: 60_000 });
    const { callId } = (await call('orders/import', orders('1'))).body;
    api().faults.now = Date.now() + 61_000;
    const expired = { status: 410, body: error('callId expired') };
    expect(await call(`api/check/${callId}`)).toMatchObject(expired);
    expect(await api().compatCalls.deleteOlder(60_000)).toBe(1);
    expect(await call(`api/check/${callId}`)).toMatchObject(expired);
    expect(await call(`api/resend/all/${callId}`)).toMatchObject(expired);
  });

  test('says that a call has expired when its outcomes are past the retention of the history', async () => {
    await start({}, {}, { historyRetentionMs: 60_000 });
    const { callId } = (await call('orders/import', orders('1'))).body;
    await until('it is indexed', () => api().index.entries().length === 1);
    expect(await check(callId)).toMatchObject({ result: 'ok' });
    api().faults.now = Date.now() + 61_000;
    expect(await call(`api/check/${callId}`)).toMatchObject({ status: 410, body: error('callId expired') });
  });

  test('without the database: 503', async () => {
    await start();
    const { callId } = (await call('orders/import', orders('1'))).body;
    api().faults.databaseDown = true;
    expect(await call(`api/check/${callId}`)).toMatchObject({ status: 503, body: { result: 'service_unavailable' } });
    expect(await call('orders/import', orders('1'))).toMatchObject({ status: 503, body: { result: 'service_unavailable' } });
    expect(api().messages()).toHaveLength(1);
  });
});

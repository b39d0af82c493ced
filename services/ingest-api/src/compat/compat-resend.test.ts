import { aConnector } from '@sluice/connector-feed/testing';
import { compatShopOfTest, error, orders } from './test-support/compat-shop';

const { start, call, check, api } = compatShopOfTest();

describe('a resend', () => {
  test('runs every record again, later than what is newer, and moves the time', async () => {
    await start();
    const { callId } = (await call('orders/import', orders('1', '2'))).body;
    const before = await check(callId);
    await new Promise((resolve) => { setTimeout(resolve, 5); });
    expect(await call(`API/Resend/Again/${callId}`)).toMatchObject({ status: 200, body: { result: 'ok', callId } });
    const again = api().envelopes().filter(({ run }) => run !== 'first');
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
    expect(api().messages()).toHaveLength(4);
  });

  test.each([['an unknown action', 'other'], ['an action of other events', 'all']])(
    'is 400 with %s', async (_title, action) => {
      await start();
      const { callId } = (await call('typed', { ...orders('1'), event: 'customer' })).body;
      expect(await call(`api/resend/${action}/${callId}`)).toMatchObject({ status: 400, body: error('Action does not apply to the call') });
      expect(api().messages()).toHaveLength(1);
    });

  test('is 404 for a call that is not there, 423 while the connector is paused', async () => {
    await start();
    const { callId } = (await call('orders/import', orders('1'))).body;
    expect(await call('api/resend/all/nonsense')).toMatchObject({ status: 404, body: error('callId not found') });
    await api().announce(aConnector({ revision: 2, status: 'paused' }));
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    expect((await call(`api/resend/all/${callId}`)).status).toBe(423);
  });

  test('queues what was not queued, as the call that it was', async () => {
    await start({}, { organization: { tier: 'free', limits: { events_limit: 2 } } });
    api().faults.publish = 'refused';
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
    delete api().faults.publish;
    expect((await call(`api/resend/all/${callId}`)).status).toBe(200);
    expect(api().envelopes().filter(({ run }) => run === 'first')).toHaveLength(2);
    expect((await check(callId)).callStatus).toBe('InProgress');
  });

  test('of a call that may be in the log sends it under the same ids, which the runner knows', async () => {
    await start();
    api().faults.publish = 'unknown';
    const { body: { callId }, status } = await call('orders/import', orders('1'));
    expect([status, api().messages().length]).toEqual([503, 1]);
    delete api().faults.publish;
    expect((await call(`api/resend/all/${callId}`)).status).toBe(200);
    expect(api().envelopes()).toMatchObject([1, 2].map(() => ({ event_id: callId, entity_index: 0, run: 'first' })));
  });
});

import type { Step } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import type { RetryPolicy } from '../units/verdicts/retry-policy';
import { order, runnerLab, shopConfig, type RunnerLab } from '../test-support/runner-lab';

const creates = '/crm/v3/objects/deals/batch/create';
const upserts = '/crm/v3/objects/contacts/batch/upsert';

/** An event ends with its first failure, whatever it has left behind. */
const once: RetryPolicy = { attempts: 1, waitsMs: [50], ceilingMs: 50, ttlMs: 1_209_600_000 };

describe('upserts that meet what others left or do', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  const settled = (count: number): Promise<void> => until(`${count} rows`, () => lab.rows().length >= count);

  it.each([
    ['landed', true],
    ['did not land', false],
  ])('takes over the identity of a parked event whose create %s, and makes one record', async (_, landed) => {
    lab = await runnerLab(shopConfig, { searchLagMs: 600_000, policy: once });
    await lab.sim('POST', '/_sim/faults', { path: creates, after_write: landed, drop: true, times: 1 });
    await lab.addRunner();
    await lab.send([order('evt_1', 'N1', 'a', { title: 'first' })]);
    await settled(1);
    expect(lab.rows()[0]).toMatchObject({ status: 'partial_success', errorKind: 'transient' });

    lab.passStoreTime(661_000);
    await lab.send([order('evt_2', 'N1', 'a', { title: 'second' })]);
    await settled(2);
    expect(lab.rows()[1]).toMatchObject({ status: 'completed', attempts: 1 });
    expect((await lab.records('deals')).map(({ properties }) => properties['dealname'])).toEqual(['second']);
  });

  it('leaves the identity of an event that may still create to that event, until its create can no longer land', async () => {
    lab = await runnerLab(shopConfig, { searchLagMs: 600_000, policy: once });
    await lab.sim('POST', '/_sim/faults', { path: creates, drop: true, times: 1 });
    await lab.addRunner();
    await lab.send([order('evt_1', 'N1', 'a')]);
    await settled(1);
    lab.passStoreTime(600_000);
    await lab.send([order('evt_2', 'N1', 'a')]);
    await until('the second event waits', () =>
      lab.store.held().some(({ lastError }) => lastError?.includes('another event is creating this record')),
    );
    expect(lab.rows()).toHaveLength(1);
    expect(await lab.records('deals')).toEqual([]);

    lab.passStoreTime(61_000);
    await settled(2);
    expect(lab.rows()[1]).toMatchObject({ status: 'completed', attempts: 1 });
    expect(await lab.records('deals')).toHaveLength(1);
  });

  it('updates on the next attempt what somebody else created at the same moment', async () => {
    lab = await runnerLab(shopConfig);
    await lab.sim('POST', '/_sim/faults', {
      path: upserts,
      status: 409,
      body: { status: 'error', category: 'CONFLICT', message: 'Contact already exists' },
      times: 1,
    });
    await lab.addRunner();
    await lab.send([order('evt_1', 'N1', 'a')]);
    await settled(1);
    expect(lab.rows()[0]).toMatchObject({ status: 'completed', attempts: 2 });
    expect(await lab.records('contacts')).toHaveLength(1);
  });

  it('writes a convoy of more records than one call takes in two calls at once', async () => {
    const save: Step = { id: 'save', action: 'upsert', target: 'crm', entity: 'customer' };
    const flow = { name: 'customers', source: 'event_api', event_type: 'customer.saved', steps: [save] };
    lab = await runnerLab({ ...shopConfig, flows: [flow] });
    await lab.sim('POST', '/_sim/faults', { path: upserts, delay_ms: 1_000 });
    await lab.send(Array.from({ length: 150 }, (_, n) =>
      ({ id: `evt_${n}`, type: 'customer.saved', payload: { customer: { email: `c${n}@shop.test` } } })));
    await lab.addRunner();
    await settled(150);
    const stats = await lab.sim('GET', '/_sim/stats');
    expect([stats.highest_concurrency, stats.calls_by_route[`POST ${upserts}`]]).toEqual([2, { 200: 2 }]);
  });
});

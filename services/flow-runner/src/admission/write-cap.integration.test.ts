import { until } from '@sluice/ports/testing';
import { labConnector, type LabEvent, runnerLab, type RunnerLab, shopConfig } from '../test-support/runner-lab';

const config = {
  ...shopConfig,
  flows: [
    ...shopConfig.flows,
    {
      name: 'customers', source: 'event_api', event_type: 'customer_synced',
      steps: [{ id: 'save', action: 'upsert' as const, target: 'crm', entity: 'customer' }],
    },
    {
      name: 'orders in lists', source: 'event_api', event_type: 'orders.listed',
      steps: [
        { id: 'all', action: 'upsert_many' as const, target: 'crm', entity: 'order', items: '$.payload.orders', chunk_size: 4 },
      ],
    },
  ],
};

/** Customers 0 to `records`, over and over. */
const customers = (count: number, records = count, from = 0): LabEvent[] => Array.from({ length: count }, (_, index) => {
  const email = `c${(from + index) % records}@shop.test`;
  return {
    id: `evt_${from + index}`, type: 'customer_synced', record: ['customer', email],
    payload: { customer: { email, name: `n${from + index}` } },
  };
});

describe('the cap of a first sync', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());
  const cap = () => lab.writeCaps.of(labConnector)!;
  const written = async (): Promise<number> => (await lab.records('contacts')).reduce((sum, { writes }) => sum + writes, 0);
  const tripped = (): Promise<void> =>
    until('the cap has tripped', async () => (await lab.writeCaps.tripReached()).includes(labConnector));
  const release = async (): Promise<void> => {
    expect(lab.writeCaps.release(labConnector)).toBe(true);
    await until('every held event was sent', () => lab.writeCaps.settled(labConnector));
    expect(await lab.writeCaps.reopen(0)).toEqual([labConnector]);
  };

  it('lets two runners together write at most one batch more, holds the rest untried, and sends it in order', async () => {
    lab = await runnerLab(config);
    await lab.cap(150);
    await lab.addRunner();
    await lab.addRunner();
    await lab.send(customers(600, 300));
    await tripped();
    await until('the rest is held', () => lab.rows().length + lab.store.held().length === 600);
    expect(await written()).toBe(cap().writes);
    expect(cap().writes).toBeGreaterThanOrEqual(150);
    expect(cap().writes).toBeLessThan(250);
    expect(lab.store.held().every(({ reason, attempts }) => reason === 'write_cap' && attempts === 0)).toBe(true);
    const before = await written();
    await release();
    await until('all ended', () => lab.rows().length === 600);
    expect(lab.rows().every(({ status }) => status === 'completed')).toBe(true);
    expect(await written()).toBeGreaterThan(before);
    const contacts = (await lab.records('contacts')).map(({ properties }) => properties);
    const names = Object.fromEntries(contacts.map(({ email, firstname }) => [email, firstname]));
    for (let index = 0; index < 300; index += 1) expect(names[`c${index}@shop.test`]).toBe(`n${index + 300}`);
  });

  it('counts what failed as not written: events behind a refused batch go on', async () => {
    lab = await runnerLab(config);
    await lab.cap(10);
    await lab.addRunner();
    await lab.sim('POST', '/_sim/faults', { path: 'contacts/batch/upsert', status: 503, times: 1 });
    await lab.send(customers(8));
    await until('all ended', () => lab.rows().length === 8);
    expect(lab.rows().every(({ status }) => status === 'completed')).toBe(true);
    expect(cap()).toMatchObject({ state: 'armed', writes: 8 });
  });

  it('keeps the entries of a list that were written, and writes the others after the release', async () => {
    lab = await runnerLab(config);
    await lab.cap(3);
    await lab.addRunner();
    const stage = 'appointmentscheduled';
    const orders = Array.from({ length: 10 }, (_, n) => ({ number: `N${n}`, title: `order ${n}`, stage }));
    await lab.send([{ id: 'evt_1', type: 'orders.listed', payload: { orders } }]);
    await until('held', () => lab.store.held().length === 1);
    await tripped();
    const [held] = lab.store.held();
    expect(held).toMatchObject({ reason: 'write_cap', attempts: 0, wrote: true, lastErrorCode: 'write_cap_reached' });
    const first = (await lab.records('deals')).length;
    expect(first).toBeGreaterThanOrEqual(3);
    expect(first).toBeLessThan(10);
    await release();
    await until('all ended', () => lab.rows().length === 10);
    expect((await lab.records('deals')).map(({ writes }) => writes)).toEqual(orders.map(() => 1));
    expect(lab.rows().every(({ status, attempts }) => status === 'completed' && attempts === 1)).toBe(true);
  });

  it('does not count, and never stops, what comes after the release', async () => {
    lab = await runnerLab(config);
    await lab.cap(5);
    await lab.addRunner();
    await lab.send(customers(20));
    await tripped();
    await release();
    const { writes } = cap();
    await lab.send(customers(200, 200, 20));
    await until('all ended', () => lab.rows().length === 220);
    expect(cap()).toMatchObject({ state: 'released', writes });
  });
});

import { until } from '@sluice/ports/testing';
import { runnerLab, shopConfig, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

const config = {
  ...shopConfig,
  flows: [
    {
      name: 'customers',
      source: 'event_api',
      event_type: 'customer_synced',
      steps: [{ id: 'save', action: 'upsert' as const, target: 'crm', entity: 'customer' }],
    },
  ],
};
const customers = (from: number, count: number): LabEvent[] => Array.from({ length: count }, (_, n) => {
  const email = `c${from + n}@shop.test`;
  return {
    id: `evt_${from + n}`,
    type: 'customer_synced',
    record: ['customer', email],
    payload: { customer: { email, name: `c${from + n}` } },
  };
});

describe('a store that was restored to an earlier state', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  const written = async (): Promise<number[]> => (await lab.records('contacts')).map(({ write_log: log }) => log.length);
  /** Five events run, the store is copied, ten are held and committed in the log. @returns a function that restores the store */
  const heldSinceTheCopy = async (): Promise<() => void> => {
    await lab.send(customers(0, 5));
    await until('5 rows', () => lab.rows().length === 5);
    const putBack = lab.store.backup();
    await lab.change({ status: 'paused' });
    await lab.send(customers(5, 10));
    await until('10 held', () => lab.store.held().length === 10);
    await until('committed', async () => (await lab.uncommitted()) === 0n);
    return putBack;
  };

  it('gets again, from the next runner, what was stored since then', async () => {
    lab = await runnerLab(config);
    const first = await lab.addRunner();
    const putBack = await heldSinceTheCopy();
    await first.stop();
    putBack();
    expect(lab.store.held()).toEqual([]);
    await lab.change({ status: 'active' });
    // Not read yet, and fetched before the new owner knows that it must read again: it runs after the older event of its record.
    await lab.send([
      { ...customers(5, 1)[0]!, id: 'evt_newer', payload: { customer: { email: 'c5@shop.test', name: 'newer' } } },
    ]);
    await lab.addRunner({ owner: 'lab-0', takeOver: true });
    await until('all ran', () => lab.rows().length === 16);
    // The five were settled in the copy: they do not run again.
    expect((await written()).sort()).toEqual([...Array.from({ length: 14 }, () => 1), 2]);
    const ofFive = (await lab.records('contacts')).find(({ properties }) => properties['email'] === 'c5@shop.test')!;
    expect(ofFive.write_log.map(({ properties }) => properties['firstname'])).toEqual(['c5', 'newer']);
    expect(lab.store.held()).toEqual([]);
  });

  it('gets it again from the runner that owns its partitions, which takes them again', async () => {
    lab = await runnerLab(config);
    await lab.addRunner({ renewEveryMs: 100, leaseMs: 9_000, leaseGraceMs: 100, crmTimeoutMs: 3_000 });
    const putBack = await heldSinceTheCopy();
    putBack();
    await until('all held again', () => lab.store.held().length === 10);
    expect(lab.joins()).toBe(2);
    await lab.change({ status: 'active' });
    await until('all ran', () => lab.rows().length === 15);
    expect(await written()).toEqual(Array.from({ length: 15 }, () => 1));
  });

  it('is the exception: normally the next owner reads nothing settled again', async () => {
    lab = await runnerLab(config);
    const first = await lab.addRunner();
    await lab.send(customers(0, 50));
    await until('50 rows', () => lab.rows().length === 50);
    await first.stop();
    const finished = jest.spyOn(lab.store, 'finished');
    await lab.addRunner();
    await lab.send(customers(50, 1));
    await until('the new one', () => lab.rows().length === 51);
    expect(finished.mock.calls.flatMap(([units]) => units)).toHaveLength(1);
  });
});

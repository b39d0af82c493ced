import { until } from '@sluice/ports/testing';
import { type LabEvent, runnerLab, type RunnerLab, shopConfig } from '../test-support/runner-lab';

const config = {
  ...shopConfig,
  flows: [
    {
      name: 'customers', source: 'event_api', event_type: 'customer_synced',
      steps: [{ id: 'save', action: 'upsert' as const, target: 'crm', entity: 'customer' }],
    },
  ],
};
const customers = (prefix: string, count: number): LabEvent[] => Array.from({ length: count }, (_, n) => {
  const email = `${prefix}${n}@shop.test`;
  return {
    id: `evt_${prefix}${n}`, type: 'customer_synced', record: ['customer', email],
    payload: { customer: { email, name: `${prefix}${n}` } },
  };
});

/** A broker without the newest messages became the leader (unclean leader election): their offsets are given again. */
describe('a log that lost its newest messages', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  const ended = (): string[] => lab.rows().map(({ unit }) => unit.eventId).sort();
  const settled = async (count: number): Promise<void> => {
    await until(`${count} rows`, () => lab.rows().length === count);
    await until('committed', async () => (await lab.uncommitted()) <= 0n);
  };

  it('a running runner runs what was accepted since then under offsets that it knows, and nothing twice', async () => {
    lab = await runnerLab(config);
    await lab.addRunner();
    await lab.send(customers('a', 20));
    await settled(20);
    lab.loseTail(8);
    await lab.send(customers('b', 5));
    await settled(25);
    expect(ended()).toEqual([...customers('a', 20), ...customers('b', 5)].map(({ id }) => id).sort());
    const writes = (await lab.records('contacts')).map(({ write_log: log }) => log.length);
    expect(writes).toEqual(Array.from({ length: 25 }, () => 1));
    await lab.send(customers('c', 30));
    await settled(55);
  });

  it('so does a runner that starts after it', async () => {
    lab = await runnerLab(config);
    const first = await lab.addRunner();
    await lab.send(customers('a', 20));
    await settled(20);
    await first.stop();
    lab.loseTail(8);
    await lab.send(customers('b', 5));
    await lab.addRunner({ owner: 'lab-0', takeOver: true });
    await settled(25);
    expect((await lab.records('contacts')).every(({ write_log: log }) => log.length === 1)).toBe(true);
  });

  it('with events in memory and in flight', async () => {
    lab = await runnerLab(config, { maxBuffered: 10, maxPerConnector: 5 });
    await lab.addRunner();
    await lab.sim('POST', '/_sim/faults', { path: '/crm/', delay_ms: 300 });
    await lab.send(customers('a', 40));
    await until('some ended', () => lab.rows().length > 0);
    lab.loseTail(8);
    await lab.send(customers('b', 5));
    const lasting = [...customers('a', 32), ...customers('b', 5)].map(({ id }) => id);
    await until('all that is in the log ended', () => lasting.every((id) => ended().includes(id)));
  });
});

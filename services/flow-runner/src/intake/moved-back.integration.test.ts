import type { ConfigDocument } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { runnerLab, shopConfig, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

const actions = { make: 'create', remove: 'delete' } as const;
const config: ConfigDocument = {
  ...shopConfig,
  flows: Object.entries(actions).map(([name, action]) => ({
    name, source: 'event_api', event_type: `customer.${name}`, steps: [{ id: 'step', action, target: 'crm', entity: 'customer' }],
  })),
};

describe('a partition that comes back to an owner it had before', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  it('does not restore a mapping that another owner has replaced meanwhile', async () => {
    lab = await runnerLab(config);
    const records = ['ada', 'bob', 'cy', 'dot'];
    let sent = 0;
    /** Sends an event of each record, and waits until all have ended. */
    const all = async (name: keyof typeof actions): Promise<void> => {
      const events = records.map((customer): LabEvent => {
        const email = `${customer}@shop.test`;
        const payload = { customer: { email, name: customer } };
        return { id: `evt_${++sent}`, type: `customer.${name}`, payload, record: ['customer', email] };
      });
      await lab.send(events);
      await until(`${sent} rows`, () => lab.rows().length >= sent);
    };
    const live = async (): Promise<number> => (await lab.records('contacts')).filter(({ archived }) => !archived).length;

    /** The writes of other owners meanwhile. */
    const meanwhile = async (...done: (keyof typeof actions)[]): Promise<void> => {
      const others = [await lab.addRunner(), await lab.addRunner(), await lab.addRunner()];
      for (const name of done) await all(name);
      for (const other of others) await other.stop();
    };

    await lab.addRunner();
    await all('make');
    await meanwhile('remove');
    await all('make');
    expect(await live()).toBe(records.length);
    await meanwhile('remove', 'make');
    await all('remove');
    expect(await live()).toBe(0);
    expect(lab.rows().map(({ status }) => status)).toEqual(lab.rows().map(() => 'completed'));
  });
});

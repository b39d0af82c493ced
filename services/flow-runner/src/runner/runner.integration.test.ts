import { until } from '@sluice/ports/testing';
import { order, runnerLab, shopConfig, type RunnerLab } from '../testing/runner-lab';

describe('flow runner on twins and a real simulator', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  it('turns orders into contacts, deals and associations, without a duplicate', async () => {
    lab = await runnerLab(shopConfig);
    await lab.addRunner();
    await lab.send(Array.from({ length: 300 }, (_, index) => order(`evt_${index}`, `N${index % 250}`, `c${index % 40}`)));
    await until('all orders settled', () => lab.rows().length === 300);
    expect(lab.rows().map((row) => row.status).filter((status) => status !== 'completed')).toEqual([]);
    const [contacts, deals] = [await lab.records('contacts'), await lab.records('deals')];
    expect(contacts).toHaveLength(40);
    expect(deals).toHaveLength(250);
    expect(new Set(deals.map((deal) => deal.properties['description'])).size).toBe(250);
    expect(deals.every((deal) => deal.associations.some((link) => link.to_object_type === 'contacts'))).toBe(true);
  });
});

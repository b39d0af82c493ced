import { firstBottleneck, loadOfPartitions, loadOfPortals, type Workload, useOf } from './capacity-model';
import { bounds, measuredCosts, smallest } from './measured-costs';
import { simulateLoad } from './simulate-load';
import { sizeInstallation } from './size-installation';

const load = (connectors: number, recordsPerSecond: number, more: Partial<Workload> = {}): Workload =>
  ({ connectors, connectorsPerPortal: 2, recordsPerSecond, skew: 0.5, width: 1, ...more });

describe('capacity of an installation', () => {
  it.each([
    ['a portal', load(2, 2_500, { skew: 0 }), {}],
    ['a partition', load(50, 12_000, { skew: 2, connectorsPerPortal: 1 }),
      { callsOfPortal: 1_000, ingests: 10, runners: 24, coresOfPostgres: 8 }],
    ['flow-runner', load(5_000, 7_000), { ingests: 4 }],
    ['ingest-api', load(5_000, 13_000), { runners: 24 }],
    ['Postgres CPU', load(5_000, 30_000), { ingests: 10, runners: 24, coresOfPostgres: 1 }],
    ['Postgres log', load(5_000, 60_000), { ingests: 20, runners: 24, coresOfPostgres: 64, walOfPostgres: 50e6 }],
    ['Kafka disk', load(5_000, 60_000), { ingests: 20, runners: 24, coresOfPostgres: 64, diskOfBroker: 10e6 }],
  ] as const)('names %s as the first bottleneck, and there the records of the simulation wait', (part, sent, more) => {
    const installed = { ...smallest, ...more };
    const use = useOf(measuredCosts, installed, sent);
    expect([firstBottleneck(use), use[part] > 1]).toEqual([part, true]);
    const found = simulateLoad(measuredCosts, installed, sent, 20);
    expect([found.bottleneck, found.waiting[part] > 0]).toEqual([part, true]);
    expect(found.deliveredPerSecond).toBeLessThan(sent.recordsPerSecond);
  });

  it('spreads all records over partitions and portals, whatever the width', () => {
    for (const width of [1, 3, 24, 100]) {
      const sent = load(1_000, 5_000, { width });
      const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0);
      expect([sum(loadOfPartitions(sent, 24)), sum(loadOfPortals(sent))].map(Math.round)).toEqual([5_000, 5_000]);
    }
  });

  it('sizes an installation in which the simulation leaves nothing waiting', () => {
    const { installed, load: sized, bottleneck, use } = sizeInstallation(measuredCosts, smallest, load(10_000, 20_000), bounds);
    expect(use[bottleneck]).toBeLessThanOrEqual(1);
    const { bottleneck: grows, deliveredPerSecond } = simulateLoad(measuredCosts, installed, sized, 20);
    expect([grows, Math.round(deliveredPerSecond)]).toEqual([null, 20_000]);
  });

  it('says what a million records a second of many connectors fail at first, and how many pass', () => {
    const { installed, load: sized, bottleneck, recordsPerSecond } = sizeInstallation(measuredCosts, smallest,
      load(20_000, 1_000_000), bounds);
    expect([installed.runners, sized.width > 1, bottleneck]).toEqual([24, true, 'flow-runner']);
    const { deliveredPerSecond } = simulateLoad(measuredCosts, installed, sized, 2);
    expect(deliveredPerSecond / recordsPerSecond).toBeGreaterThan(0.8);
    expect(deliveredPerSecond).toBeLessThanOrEqual(recordsPerSecond * 1.001);
  });
});

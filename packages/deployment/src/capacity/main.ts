/** `npm run simulate -- capacity`: installations for workloads up to 100,000 connectors and a million records a second. */
import type { Workload } from './capacity-model';
import { bounds, measuredCosts, smallest } from './measured-costs';
import { simulateLoad } from './simulate-load';
import { sizeInstallation } from './size-installation';

const simulatedSeconds = 30;

/** Connectors, records a second of all of them, and partitions when they are not as many as usual. */
const sizes: readonly [number, number, number?][] = [
  [10, 100], [100, 1_000], [1_000, 5_000], [10_000, 20_000], [30_000, 100_000], [100_000, 1_000_000], [100_000, 1_000_000, 480],
];

const workload = (connectors: number, recordsPerSecond: number): Workload =>
  ({ connectors, connectorsPerPortal: 2, recordsPerSecond, skew: 0.5, width: 1 });

const whole = (value: number): string => Math.round(value).toLocaleString('en');

const rows = sizes.map(([connectors, wanted, partitions = smallest.partitions]) => {
  const { installed, load, use, bottleneck, recordsPerSecond } =
    sizeInstallation(measuredCosts, { ...smallest, partitions }, workload(connectors, wanted), bounds);
  const { deliveredPerSecond, bottleneck: grows } = simulateLoad(measuredCosts, installed, load, simulatedSeconds);
  return [
    whole(load.connectors), whole(load.recordsPerSecond), String(partitions), String(installed.ingests),
    String(installed.runners), String(load.width),
    String(installed.brokers), String(installed.coresOfPostgres), `${bottleneck} (${Math.round(use[bottleneck] * 100)} %)`,
    whole(recordsPerSecond), whole(deliveredPerSecond), grows ?? 'none',
  ];
});
const header = ['connectors', 'records/s', 'partitions', 'ingest-api', 'flow-runner', 'width', 'brokers', 'Postgres cores',
  'fullest part', 'fits, records/s',
  'simulated, records/s', 'where records wait'];
for (const line of [header, header.map(() => '---'), ...rows]) process.stdout.write(`| ${line.join(' | ')} |\n`);

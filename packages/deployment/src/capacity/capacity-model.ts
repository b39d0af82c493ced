/**
 * What a record costs, and what the parts of an installation can do. All values of `measuredCosts` are from docs/performance.md.
 */
export interface RecordCosts {
  /** CPU of a part for a record, microseconds. */
  ingestUs: number;
  runnerUs: number;
  postgresUs: number;
  kafkaUs: number;
  /** Bytes of a record in the log, before it is replicated. */
  logBytes: number;
  /** Bytes that Postgres writes for a record to its write-ahead log. */
  walBytes: number;
  /** Calls of the CRM for a record. */
  callsPerRecord: number;
}

/** What is installed. */
export interface Installation {
  /** Instances, each with one thread for its work. */
  ingests: number;
  runners: number;
  /** Of the topic of inbound events: more runners than that have nothing to do. */
  partitions: number;
  brokers: number;
  coresOfBroker: number;
  /** Bytes a second that a broker writes to its disk. */
  diskOfBroker: number;
  replication: number;
  coresOfPostgres: number;
  /** Bytes a second of the write-ahead log that its disk takes. */
  walOfPostgres: number;
  /** Calls a second that the CRM allows a portal. */
  callsOfPortal: number;
}

/** What is sent. */
export interface Workload {
  connectors: number;
  /** Connectors of one portal. */
  connectorsPerPortal: number;
  /** Records a second, of all connectors together. */
  recordsPerSecond: number;
  /** Share of the largest connectors: the n-th sends in proportion to 1 / n to this power. 0: all send the same. */
  skew: number;
  /** Partitions that the records of one connector spread over. */
  width: number;
}

/** Parts that can be full, in the order in which a record passes them. */
export const parts = ['ingest-api', 'Kafka CPU', 'Kafka disk', 'flow-runner', 'a partition', 'Postgres CPU', 'Postgres log',
  'a portal'] as const;
export type Part = (typeof parts)[number];

/** What of a part a workload uses; 1 is all of it. Of partitions and portals: the most loaded one. */
export type Use = Record<Part, number>;

/** How much of a core the work of a part may take: the rest is for peaks, take-overs and garbage collection. */
const usable = 0.7;

/** Records a second of each connector, the largest first. */
export function ratesOf({ connectors, recordsPerSecond, skew }: Workload): Float64Array {
  const rates = Float64Array.from({ length: connectors }, (_, n) => (n + 1) ** -skew);
  const sum = rates.reduce((all, rate) => all + rate, 0);
  return rates.map((rate) => (rate / sum) * recordsPerSecond);
}

/** The first partition of a connector: spread evenly, the same for the same number. */
export const firstPartitionOf = (connector: number, partitions: number): number =>
  ((Math.imul(connector + 1, 0x9e3779b1) >>> 0) % 65_521) % partitions;

/** Records a second that one thread works off, at microseconds a record. */
const perThread = (us: number): number => (usable * 1e6) / us;

/** Records a second of each part at most; of a partition and of a portal each. */
export function limitsOf(costs: RecordCosts, installed: Installation): Use {
  const runners = Math.min(installed.runners, installed.partitions);
  return {
    'ingest-api': installed.ingests * perThread(costs.ingestUs),
    'Kafka CPU': installed.brokers * installed.coresOfBroker * perThread(costs.kafkaUs),
    'Kafka disk': (installed.brokers * installed.diskOfBroker) / (costs.logBytes * installed.replication),
    // A partition belongs to one runner, whose thread it may take.
    'a partition': perThread(costs.runnerUs),
    'flow-runner': runners * perThread(costs.runnerUs),
    'Postgres CPU': installed.coresOfPostgres * perThread(costs.postgresUs),
    'Postgres log': installed.walOfPostgres / costs.walBytes,
    'a portal': installed.callsOfPortal / costs.callsPerRecord,
  };
}

/** Records a second of each partition. */
export function loadOfPartitions(load: Workload, partitions: number): Float64Array {
  const sums = new Float64Array(partitions);
  const width = Math.min(load.width, partitions);
  ratesOf(load).forEach((rate, connector) => {
    const first = firstPartitionOf(connector, partitions);
    for (let place = 0; place < width; place += 1) sums[(first + place) % partitions]! += rate / width;
  });
  return sums;
}

/** Records a second of each portal: neighbours in size do not share one. */
export function loadOfPortals(load: Workload): Float64Array {
  const portals = Math.max(1, Math.ceil(load.connectors / load.connectorsPerPortal));
  const sums = new Float64Array(portals);
  ratesOf(load).forEach((rate, connector) => { sums[connector % portals]! += rate; });
  return sums;
}

/** Records a second of the most loaded partition and portal. */
export interface Hottest {
  partition: number;
  portal: number;
}

export function hottestOf(load: Workload, partitions: number): Hottest {
  const largest = (sums: Float64Array): number => sums.reduce((most, sum) => Math.max(most, sum), 0);
  return { partition: largest(loadOfPartitions(load, partitions)), portal: largest(loadOfPortals(load)) };
}

/** What of each part a workload uses. @param hottest of the workload, where it is known: it costs a visit of every connector */
export function useOf(
  costs: RecordCosts, installed: Installation, load: Workload, hottest = hottestOf(load, installed.partitions),
): Use {
  const limits = limitsOf(costs, installed);
  const loadOf: Partial<Use> = { 'a partition': hottest.partition, 'a portal': hottest.portal };
  return Object.fromEntries(parts.map((part) => [part, (loadOf[part] ?? load.recordsPerSecond) / limits[part]])) as Use;
}

/** The part that a workload fills first; of parts that are equally full (to a thousandth) the first one. */
export const firstBottleneck = (use: Use): Part =>
  parts.reduce((most, part) => (use[part] > use[most] * 1.001 ? part : most));

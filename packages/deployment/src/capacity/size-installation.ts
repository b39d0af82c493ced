import { firstBottleneck, hottestOf, type Installation, type Part, type RecordCosts, type Use, useOf,
  type Workload } from './capacity-model';

/** What may be added, and up to where. */
export interface Bounds {
  /** Cores of the largest Postgres and of a broker. */
  coresOfPostgres: number;
  brokers: number;
  ingests: number;
  /** Partitions that one connector's records may spread over. */
  width: number;
}

/** An installation for a workload, and what of it the workload uses. */
export interface Sized {
  installed: Installation;
  load: Workload;
  use: Use;
  /** The part that is fullest, although everything that could be added was. */
  bottleneck: Part;
  /** Records a second that the bottleneck lets through. */
  recordsPerSecond: number;
}

/**
 * Adds to an installation until a workload fits, or until what is full cannot be added to: a part that is more than full gets one
 * more of what it is made of. Partitions are not added to: their number is fixed when a topic is created.
 */
export function sizeInstallation(costs: RecordCosts, start: Installation, wanted: Workload, bounds: Bounds): Sized {
  const installed = { ...start };
  const load = { ...wanted };
  const add: Record<Part, () => boolean> = {
    'ingest-api': () => raise(installed, 'ingests', bounds.ingests),
    'Kafka CPU': () => raise(installed, 'brokers', bounds.brokers),
    'Kafka disk': () => raise(installed, 'brokers', bounds.brokers),
    'a partition': () => raise(load, 'width', Math.min(bounds.width, installed.partitions)),
    'flow-runner': () => raise(installed, 'runners', installed.partitions),
    'Postgres CPU': () => raise(installed, 'coresOfPostgres', bounds.coresOfPostgres),
    'Postgres log': () => false,
    'a portal': () => false,
  };
  let hottest = hottestOf(load, installed.partitions);
  for (let width = load.width; ;) {
    if (load.width !== width) [width, hottest] = [load.width, hottestOf(load, installed.partitions)];
    const use = useOf(costs, installed, load, hottest);
    const full = (Object.keys(add) as Part[]).filter((part) => use[part] > 1);
    // `some` would stop at the first part that grew; each full one shall grow in this round.
    if (full.filter((part) => add[part]()).length > 0) continue;
    const bottleneck = firstBottleneck(use);
    return { installed, load, use, bottleneck, recordsPerSecond: Math.min(1, 1 / use[bottleneck]) * load.recordsPerSecond };
  }
}

/** @returns whether it was raised */
function raise<Name extends string>(of: Record<Name, number>, name: Name, most: number): boolean {
  if (of[name] >= most) return false;
  of[name] = (of[name] + 1) as (typeof of)[Name];
  return true;
}

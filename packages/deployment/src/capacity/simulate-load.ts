import {
  firstPartitionOf, type Installation, limitsOf, type Part, parts, ratesOf, type RecordCosts, type Workload,
} from './capacity-model';

/** What the parts had to leave waiting at the end of a simulated time. */
export interface SimulatedLoad {
  /** Records that wait in front of each part; of partitions and portals: all of them together. */
  waiting: Record<Part, number>;
  /** The last part that records wait for: it takes less than what all before it pass on. null: less than one waits. */
  bottleneck: Part | null;
  /** Records a second that reached the CRM in the last second. */
  deliveredPerSecond: number;
}

/** A row of places, each of which lets so many records a second through. */
interface Stage {
  part: Part;
  /** Records waiting by place. */
  waiting: Float64Array;
  perPlace: number;
  /** Places that a connector's records are spread over evenly: so many from the first on. */
  firstPlaceOf(connector: number): number;
  width: number;
}

/**
 * Sends a workload through the parts of an installation for some virtual seconds, connector by connector: what a part cannot take
 * in a second waits in front of it, and what one part does not pass on does not load the next. A check of `useOf`, which divides
 * instead.
 */
export function simulateLoad(costs: RecordCosts, installed: Installation, load: Workload, seconds: number): SimulatedLoad {
  const stages = stagesOf(costs, installed, load);
  const rates = ratesOf(load);
  let delivered = 0;
  for (let second = 0; second < seconds; second += 1) {
    let arriving = rates;
    for (const stage of stages) arriving = passOn(stage, arriving);
    delivered = sumOf(arriving);
  }
  const waiting = Object.fromEntries(stages.map((stage) => [stage.part, sumOf(stage.waiting)])) as Record<Part, number>;
  const last = parts.findLast((part) => waiting[part] >= 1);
  return { waiting, bottleneck: last ?? null, deliveredPerSecond: delivered };
}

function stagesOf(costs: RecordCosts, installed: Installation, load: Workload): Stage[] {
  const limits = limitsOf(costs, installed);
  const portals = Math.max(1, Math.ceil(load.connectors / load.connectorsPerPortal));
  const stage = (part: Part, places = 1, firstPlaceOf = (_: number): number => 0, width = 1): Stage =>
    ({ part, waiting: new Float64Array(places), perPlace: limits[part], firstPlaceOf, width });
  return parts.map((part) => {
    if (part === 'a portal') return stage(part, portals, (connector) => connector % portals);
    if (part !== 'a partition') return stage(part);
    const { partitions } = installed;
    return stage(part, partitions, (connector) => firstPartitionOf(connector, partitions), Math.min(load.width, partitions));
  });
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** Lets a second of records through a stage. @returns what of each connector passed, what had waited included */
function passOn({ waiting, perPlace, firstPlaceOf, width }: Stage, arriving: Float64Array): Float64Array {
  const places = waiting.length;
  const fresh = new Float64Array(places);
  const each = (connector: number, visit: (place: number) => void): void => {
    const first = firstPlaceOf(connector);
    for (let place = 0; place < width; place += 1) visit((first + place) % places);
  };
  arriving.forEach((rate, connector) => each(connector, (place) => { fresh[place]! += rate / width; }));
  const passed = fresh.map((records, place) => Math.min(waiting[place]! + records, perPlace));
  fresh.forEach((records, place) => { waiting[place]! += records - passed[place]!; });
  return arriving.map((rate, connector) => {
    let through = 0;
    each(connector, (place) => { through += (rate / width) * (passed[place]! / fresh[place]!); });
    return through;
  });
}

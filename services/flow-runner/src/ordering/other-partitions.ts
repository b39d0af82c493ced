import { connectorPartitions } from '@sluice/contracts';
import type { EventBus, Logger, MonotonicClock, RunStore } from '@sluice/ports';
import type { Unit } from '../units/unit';

export interface OtherPartitionsDeps {
  bus: Pick<EventBus, 'lag'>;
  heldStore: Pick<RunStore, 'heldOrderings'>;
  topic: string;
  group: string;
  logger: Logger;
  monotonicNow: MonotonicClock;
}

type Lag = Awaited<ReturnType<EventBus['lag']>>;

/** One ordering of a connector, seen in one partition. */
interface Crossing {
  seenAt: number;
  /** By partition: below these offsets lie all events of older orderings; null: not asked for yet. */
  ends: Map<number, bigint> | null;
  lookedAt: number | null;
  looking: Promise<void> | null;
}

/** What is known of a connector in one partition. */
interface Connector {
  /** Nothing older than this ordering is unsettled in other partitions. */
  clearTo: number;
  crossings: Map<number, Crossing>;
}

/** How long the answer is used that something older is unsettled. */
const lookAgainMs = 200;
/** Acceptors begin with a raised width within this time of each other, however their clocks and news differ. */
const togetherMs = 2_000;

const epochOf = ({ envelope }: Unit): number => envelope.ordering_epoch ?? 0;
const widthOf = ({ envelope }: Unit): number => envelope.width ?? 1;

/**
 * Keeps the order of a connector whose records spread over several partitions across a change of its placement: an event waits
 * until the events of lower ordering epochs in the other partitions are settled (ADR 0134). It waits for lower epochs alone, and
 * not for those that stand behind an event of its own epoch or a higher one, so that no two events wait for each other.
 */
export class OtherPartitions {
  private readonly partitions = new Map<number, { lease: bigint; connectors: Map<string, Connector> }>();

  constructor(private readonly deps: OtherPartitionsDeps) {}

  state(unit: Unit): 'open' | 'closed' | 'unknown' {
    const epoch = epochOf(unit);
    if (widthOf(unit) === 1 || epoch === 0) return 'open';
    const { clearTo, crossings } = this.connectorOf(unit);
    if (epoch <= clearTo) return 'open';
    const lookedAt = crossings.get(epoch)?.lookedAt ?? null;
    return lookedAt !== null && this.deps.monotonicNow() - lookedAt < lookAgainMs ? 'closed' : 'unknown';
  }

  /** Looks up what is unsettled in the other partitions; `state` then knows. */
  async look(unit: Unit): Promise<void> {
    const connector = this.connectorOf(unit);
    const epoch = epochOf(unit);
    const now = this.deps.monotonicNow();
    const crossing = connector.crossings.get(epoch) ?? { seenAt: now, ends: null, lookedAt: null, looking: null };
    connector.crossings.set(epoch, crossing);
    crossing.looking ??= this.lookAt(unit, connector, crossing).finally(() => (crossing.looking = null));
    await crossing.looking;
  }

  forget(partition: number): void {
    this.partitions.delete(partition);
  }

  private connectorOf({ envelope, lease: { epoch: lease, partition } }: Unit): Connector {
    let owned = this.partitions.get(partition);
    if (owned?.lease !== lease) {
      owned = { lease, connectors: new Map() };
      this.partitions.set(partition, owned);
    }
    const known = owned.connectors.get(envelope.connector_id) ?? { clearTo: 0, crossings: new Map<number, Crossing>() };
    owned.connectors.set(envelope.connector_id, known);
    return known;
  }

  private async lookAt(unit: Unit, connector: Connector, crossing: Crossing): Promise<void> {
    const { monotonicNow } = this.deps;
    const isClear = monotonicNow() - crossing.seenAt >= togetherMs && (await this.isClear(unit, crossing));
    crossing.lookedAt = monotonicNow();
    if (!isClear) return;
    connector.clearTo = Math.max(connector.clearTo, epochOf(unit));
    for (const epoch of connector.crossings.keys()) if (epoch <= connector.clearTo) connector.crossings.delete(epoch);
  }

  /** What is settled or held is committed, so the held events are read after the committed offsets. */
  private async isClear(unit: Unit, crossing: Crossing): Promise<boolean> {
    const { envelope: { connector_id: id }, lease: { partition: own } } = unit;
    const { heldStore, topic } = this.deps;
    const lag = await this.lag();
    if (lag === null) return false;
    const spread = new Set(connectorPartitions(id, widthOf(unit), lag.length));
    const others = lag.filter(({ partition }) => partition !== own && spread.has(partition));
    const ends = (crossing.ends ??= new Map(others.map(({ partition, end }) => [partition, end])));
    if (others.some(({ partition, committed }) => committed < (ends.get(partition) ?? 0n))) return false;
    for (const { partition } of others) {
      const held = await heldStore.heldOrderings({ topic, partition }, id);
      if (hasOlder(held, epochOf(unit), ends.get(partition) ?? 0n)) return false;
    }
    return true;
  }

  /** null while the bus does not answer: nothing is known then. */
  private async lag(): Promise<Lag | null> {
    const { bus, group, logger, topic } = this.deps;
    try {
      return await bus.lag(topic, group);
    } catch (error) {
      logger.warn('offsets of other partitions unknown, asking again', { topic, error });
      return null;
    }
  }
}

/** @param held the offset of the oldest held event of each epoch. @param end offsets from here on do not count */
function hasOlder(held: readonly { epoch: number; offset: bigint }[], epoch: number, end: bigint): boolean {
  const newer = held.filter((one) => one.epoch >= epoch).reduce((low, { offset }) => (offset < low ? offset : low), end);
  return held.some((one) => one.epoch < epoch && one.offset < newer);
}

import type { HeldWindow } from '../held/held-window';
import type { ConnectorDirectory } from '@sluice/connector-feed';
import type { KeyLanes } from '@sluice/key-lanes';
import type { MonotonicClock, RunStore } from '@sluice/ports';
import type { Unit } from '../units/unit';
import type { OtherPartitions } from './other-partitions';

export interface OrderingBarrierDeps {
  directory: Pick<ConnectorDirectory, 'get'>;
  heldStore: Pick<RunStore, 'heldOrderings'>;
  heldWindow: Pick<HeldWindow, 'bring'>;
  lanes: Pick<KeyLanes<Unit>, 'unfinishedOfGroup'>;
  otherPartitions: Pick<OtherPartitions, 'state' | 'look' | 'forget'>;
  monotonicNow: MonotonicClock;
}

/** `closed`: an older event of another ordering is unsettled. `unknown`: that must be looked up. */
export type BarrierState = 'open' | 'closed' | 'unknown';

/**
 * Keeps the order of a connector's events across a change of its ordering, after which a record has another lane. An event starts
 * once all older events of its partition that were accepted under another ordering are settled (ADR 0032), and where its records
 * spread over several partitions those of lower ordering epochs in the others too (ADR 0134).
 */
export interface OrderingBarrier {
  /** Called with each unit from the log, before it may start. */
  seen(unit: Unit): void;
  state(unit: Unit): BarrierState;
  /** Looks up what is unsettled. Answers whether the unit may start. */
  look(unit: Unit): Promise<boolean>;
  forget(partition: number): void;
}

/** How long the answer is used that an older event is unsettled. */
const lookAgainMs = 200;

const epochOf = ({ envelope }: Unit): number => envelope.ordering_epoch ?? 0;

/** By ordering, an offset below which nothing of it is unsettled. */
type Oldest = Map<number, bigint>;

function note(oldest: Oldest | null, epoch: number, offset: bigint): void {
  const known = oldest?.get(epoch);
  if (known === undefined || offset < known) oldest?.set(epoch, offset);
}

/** The state of one connector. After a settlement its offsets may be too low, which only costs a look-up. */
interface Known {
  oldest: Oldest | null;
  lookedAt: number;
  /** Collected by the look-up under way; units that arrive meanwhile join it. */
  gathering: Oldest | null;
  looking: Promise<void> | null;
}

export function createOrderingBarrier(deps: OrderingBarrierDeps): OrderingBarrier {
  /** Per partition, under one ownership. Only connectors whose ordering has ever changed. */
  const partitions = new Map<number, { epoch: bigint; connectors: Map<string, Known> }>();

  const connectorsOf = ({ lease: { partition, epoch } }: Unit): Map<string, Known> => {
    let owned = partitions.get(partition);
    if (owned?.epoch !== epoch) {
      owned = { epoch, connectors: new Map() };
      partitions.set(partition, owned);
    }
    return owned.connectors;
  };
  const knownOf = (unit: Unit): Known => {
    const connectors = connectorsOf(unit);
    const id = unit.envelope.connector_id;
    const known = connectors.get(id) ?? { oldest: null, lookedAt: 0, gathering: null, looking: null };
    connectors.set(id, known);
    return known;
  };
  /** While the ordering of a connector was never changed, there is nothing to look up. */
  const mayHaveChanged = (unit: Unit): boolean =>
    epochOf(unit) > 0 || (deps.directory.get(unit.envelope.connector_id)?.ordering_epoch ?? 0) > 0;

  /** Memory is read first: an event that leaves it meanwhile is then in the held store, or has ended. */
  const gather = async (unit: Unit, known: Known): Promise<void> => {
    const { envelope: { connector_id: connectorId }, lease: { topic, partition } } = unit;
    const gathering: Oldest = new Map();
    known.gathering = gathering;
    try {
      for (const { value } of deps.lanes.unfinishedOfGroup(partition, connectorId)) note(gathering, epochOf(value), value.offset);
      const held = await deps.heldStore.heldOrderings({ topic, partition }, connectorId);
      for (const { epoch, offset } of held) note(gathering, epoch, offset);
      // All others wait for the oldest event. Waiting scopes that are due before its scope may fill the connector's part of the
      // memory, so its scope is loaded by lane, not by due time.
      await deps.heldWindow.bring({ topic, partition }, connectorId, held.map(({ lane }) => lane));
      Object.assign(known, { oldest: gathering, lookedAt: deps.monotonicNow() });
    } finally {
      Object.assign(known, { gathering: null, looking: null });
    }
  };

  const stateHere = (unit: Unit): BarrierState => {
    if (!mayHaveChanged(unit)) return 'open';
    const { oldest, lookedAt } = knownOf(unit);
    if (oldest === null) return 'unknown';
    const isBehind = [...oldest].some(([epoch, offset]) => epoch !== epochOf(unit) && offset < unit.offset);
    if (!isBehind) return 'open';
    return deps.monotonicNow() - lookedAt < lookAgainMs ? 'closed' : 'unknown';
  };

  const state = (unit: Unit): BarrierState => {
    const here = stateHere(unit);
    return here === 'open' ? deps.otherPartitions.state(unit) : here;
  };
  const lookHere = async (unit: Unit): Promise<void> => {
    const known = knownOf(unit);
    known.looking ??= gather(unit, known);
    await known.looking;
  };

  return {
    state,
    seen: (unit) => {
      const known = partitions.get(unit.lease.partition)?.connectors.get(unit.envelope.connector_id);
      for (const oldest of [known?.oldest, known?.gathering]) note(oldest ?? null, epochOf(unit), unit.offset);
    },
    look: async (unit) => {
      if (stateHere(unit) !== 'open') await lookHere(unit);
      if (stateHere(unit) === 'open' && deps.otherPartitions.state(unit) === 'unknown') await deps.otherPartitions.look(unit);
      return state(unit) === 'open';
    },
    forget: (partition) => {
      partitions.delete(partition);
      deps.otherPartitions.forget(partition);
    },
  };
}

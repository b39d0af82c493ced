import { bytesOf, type KeyLanes, type LaneItem } from '@sluice/key-lanes';
import { connectorScope, type MonotonicClock, type StoreClock } from '@sluice/ports';
import type { HeldScopes } from '../held/held-scopes';
import type { Unit } from '../units/unit';
import { laneMemory } from './lane-memory';
import type { OwnedPartition } from '../intake/owned-partition';
import type { PartitionHolder } from '../intake/partition-holder';
import type { RunnerOptions } from './runner-deps';
import type { TakenUnits } from './taken-units';

export interface BacklogReliefDeps {
  topic: string;
  lanes: Pick<KeyLanes<Unit>, 'unfinishedByGroup' | 'divertGroup' | 'overflow' | 'stats'>;
  holder: Pick<PartitionHolder, 'all'>;
  scopes: Pick<HeldScopes, 'get'>;
  runs: Pick<TakenUnits, 'holdOne'>;
  options: Pick<RunnerOptions, 'maxPerConnector' | 'eventMemoryBytes' | 'topics'>;
  storeNow: StoreClock;
  monotonicNow: MonotonicClock;
}

/** How long a partition may stay unread because it is full. A backlog that is worked off faster needs no room elsewhere. */
const patienceMs = 1_000;

/** How soon events that were held because of a backlog are tried again. */
const spiltWaitMs = 1_000;

/** What may stay in memory of one connector. */
interface Share {
  items: number;
  bytes: number;
}

/**
 * Moves events of a full partition to the held store, so that the partition is read on: the events of other connectors stand
 * behind the backlog in the log (ADR 0101). The oldest events of each connector stay.
 */
export class BacklogRelief {
  private readonly most: Share;

  constructor(private readonly deps: BacklogReliefDeps) {
    const { options } = deps;
    this.most = { items: options.maxPerConnector, bytes: laneMemory(options).maxBytesPerGroup };
  }

  /** Called when fetching of a partition pauses. With several connectors in memory one of them is kept waiting already. */
  paused(entry: OwnedPartition): void {
    entry.pausedAt = this.deps.monotonicNow();
    const { lanes } = this.deps;
    if (lanes.stats().groups > 1 && lanes.overflow().length > 0) this.relieve(entry.partition, () => this.most);
  }

  /** Called often. */
  look(): void {
    const now = this.deps.monotonicNow();
    for (const entry of this.deps.holder.all()) {
      if (entry.pausedAt === null || now - entry.pausedAt < patienceMs) continue;
      entry.pausedAt = now;
      this.relieve(entry.partition, (share) => ({
        items: Math.min(this.most.items, share.items),
        bytes: Math.min(this.most.bytes, share.bytes),
      }));
    }
  }

  /** Called when events were fetched: those behind a held scope of their connector join it, also behind what is in flight. */
  joinHeld(partition: number, connectorIds: ReadonlySet<string>): void {
    const { scopes, topic } = this.deps;
    for (const connectorId of connectorIds) {
      const scope = scopes.get(topic, partition, connectorScope(connectorId));
      if (scope) this.hold(partition, connectorId, scope.headOffset);
    }
  }

  /** @param shareOf what stays of each connector, given half of what the partition has in equal parts */
  private relieve(partition: number, shareOf: (half: Share) => Share): void {
    const { lanes } = this.deps;
    const groups = lanes.unfinishedByGroup(partition);
    const all = [...groups.values()].flat();
    const bytes = all.reduce((sum, item) => sum + bytesOf(item), 0);
    const share = shareOf({ items: all.length / 2 / groups.size, bytes: bytes / 2 / groups.size });
    for (const [connectorId, items] of groups) {
      const from = firstBeyond(items, share);
      if (from !== null) this.hold(partition, connectorId, from);
    }
  }

  private hold(partition: number, connectorId: string, from: bigint): void {
    const { lanes, runs, scopes, topic, storeNow } = this.deps;
    const scope = connectorScope(connectorId);
    const open = scopes.get(topic, partition, scope);
    const refusal = open
      ? { scope, reason: open.reason, dueAt: null }
      : { scope, reason: 'backlog' as const, dueAt: storeNow() + spiltWaitMs };
    for (const work of lanes.divertGroup(partition, connectorId, from)) runs.holdOne(work, refusal);
  }
}

/** The offset of the first item that exceeds the share; one item always stays. */
function firstBeyond(items: readonly LaneItem<Unit>[], share: Share): bigint | null {
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    bytes += bytesOf(item);
    if (index > 0 && (index >= share.items || bytes > share.bytes)) return item.offset;
  }
  return null;
}

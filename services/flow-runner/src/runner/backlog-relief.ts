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
  lanes: Pick<KeyLanes<Unit>, 'unfinishedByGroup' | 'divertGroup'>;
  holder: Pick<PartitionHolder, 'all'>;
  scopes: Pick<HeldScopes, 'get'>;
  runs: Pick<TakenUnits, 'holdOne'>;
  options: Pick<RunnerOptions, 'maxPerConnector' | 'eventMemoryBytes' | 'topics'>;
  storeNow: StoreClock;
  monotonicNow: MonotonicClock;
}

/** How long a partition may stay unread because it is full. A backlog that is worked off faster needs no room elsewhere. */
const patienceMs = 3_000;

/**
 * A full partition that finished less than this part of its events a second, in so long a time, has a target that is slow or
 * away, and is relieved. Calls to the CRM end hundreds of events at once, so the backlog of a fast one is not meant.
 */
const [glanceMs, barelyPerSecond] = [500, 1 / 200];

/**
 * The part of its events that a full partition has to finish in a second to be left alone: then it is read on within ten to
 * twenty seconds. To move so many events takes about as long, and the runner then writes and reads each of them once more.
 */
const workedOffPerSecond = 1 / 20;

/** How soon events that were held because of a backlog are tried again. */
const spiltWaitMs = 1_000;

/**
 * The part of its events that a full partition has to finish in a second while several connectors have events in it: then it is
 * read on within four seconds. Otherwise what is above the bound of a connector is moved, for one of them is kept waiting.
 */
const sharedPerSecond = 1 / 8;

/** The time that is looked at, and how many units were unfinished at its start. */
interface Glance {
  since: number;
  unfinished: number;
  /** Nothing was moved since the pause because of the other connectors in memory. */
  isFirst: boolean;
}

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
  /** Of partitions that have been paused and not been relieved since then. */
  private readonly glances = new WeakMap<OwnedPartition, Glance>();

  constructor(private readonly deps: BacklogReliefDeps) {
    const { options } = deps;
    this.most = { items: options.maxPerConnector, bytes: laneMemory(options).maxBytesPerConnector };
  }

  /** Called when fetching of a partition pauses. */
  paused(entry: OwnedPartition): void {
    this.begin(entry, null);
    this.glances.set(entry, { since: entry.pausedAt!, unfinished: entry.pausedWith, isFirst: true });
  }

  /** Called often. */
  look(): void {
    const now = this.deps.monotonicNow();
    for (const entry of this.deps.holder.all()) {
      if (entry.pausedAt === null) continue;
      const pace = this.pace(entry, now);
      if (pace === 'shared') this.relieveShared(entry);
      if (pace === 'shared' || (pace !== 'still' && now - entry.pausedAt < patienceMs)) continue;
      const seconds = (now - entry.pausedAt) / 1_000;
      const finished = entry.pausedWith - entry.unfinished.size();
      const isWorkedOff = finished > entry.pausedWith * workedOffPerSecond * seconds;
      this.begin(entry, isWorkedOff && pace !== 'still' ? null : (share) => ({
        items: Math.min(this.most.items, share.items),
        bytes: Math.min(this.most.bytes, share.bytes),
      }));
    }
  }

  /**
   * What the last half second shows. `still`: next to nothing ended; seen only until the partition is relieved, because what is
   * moved then needs the database, which may be what it waits for. `shared`: too little ended for several connectors, seen once.
   */
  private pace(entry: OwnedPartition, now: number): 'still' | 'shared' | null {
    const glance = this.glances.get(entry);
    const passedMs = glance ? now - glance.since : 0;
    if (!glance || passedMs < glanceMs) return null;
    const unfinished = entry.unfinished.size();
    const perSecond = ((glance.unfinished - unfinished) * 1_000) / passedMs;
    if (perSecond < glance.unfinished * barelyPerSecond) {
      this.glances.delete(entry);
      return 'still';
    }
    const isSlow = glance.isFirst && perSecond < glance.unfinished * sharedPerSecond;
    const isShared = isSlow && this.deps.lanes.unfinishedByGroup(entry.partition).size > 1;
    this.glances.set(entry, { ...glance, since: now, unfinished });
    return isShared ? 'shared' : null;
  }

  private relieveShared(entry: OwnedPartition): void {
    this.begin(entry, () => this.most);
    this.glances.set(entry, { since: entry.pausedAt!, unfinished: entry.pausedWith, isFirst: false });
  }

  /** A wait for the partition begins. @param shareOf null: it is not relieved before it */
  private begin(entry: OwnedPartition, shareOf: ((half: Share) => Share) | null): void {
    const inHand = entry.unfinished.size();
    const moved = shareOf === null ? 0 : this.relieve(entry.partition, shareOf);
    entry.pausedAt = this.deps.monotonicNow();
    entry.pausedWith = inHand - moved;
  }

  /** Called when events were fetched: those behind a held scope of their connector join it, also behind what is in flight. */
  joinHeld(partition: number, connectorIds: ReadonlySet<string>): void {
    const { scopes, topic } = this.deps;
    for (const connectorId of connectorIds) {
      const scope = scopes.get(topic, partition, connectorScope(connectorId));
      if (scope) this.hold(partition, connectorId, scope.headOffset);
    }
  }

  /**
   * @param shareOf what stays of each connector, given half of what the partition has in equal parts
   * @returns how many events are moved
   */
  private relieve(partition: number, shareOf: (half: Share) => Share): number {
    const { lanes } = this.deps;
    const groups = lanes.unfinishedByGroup(partition);
    const all = [...groups.values()].flat();
    const bytes = all.reduce((sum, item) => sum + bytesOf(item), 0);
    const share = shareOf({ items: all.length / 2 / groups.size, bytes: bytes / 2 / groups.size });
    let moved = 0;
    for (const [connectorId, items] of groups) {
      const from = firstBeyond(items, share);
      if (from !== null) moved += this.hold(partition, connectorId, from);
    }
    return moved;
  }

  private hold(partition: number, connectorId: string, from: bigint): number {
    const { lanes, runs, scopes, topic, storeNow } = this.deps;
    const scope = connectorScope(connectorId);
    const open = scopes.get(topic, partition, scope);
    const refusal = open
      ? { scope, reason: open.reason, dueAt: null }
      : { scope, reason: 'backlog' as const, dueAt: storeNow() + spiltWaitMs };
    const works = lanes.divertGroup(partition, connectorId, from);
    for (const work of works) runs.holdOne(work, refusal);
    return works.length;
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

import type { KeyLanes } from '@sluice/key-lanes';
import type { MonotonicClock, PartitionLease } from '@sluice/ports';
import type { ReadingSupervisor } from '@sluice/service-kit';
import type { Unit } from '../units/unit';
import { createUnfinishedUnits } from './unfinished-units';
import type { OwnedPartition } from './owned-partition';
import { takePartition, type TakePartitionDeps } from './take-partition';

export interface PartitionHolderDeps extends TakePartitionDeps {
  topic: string;
  /** How long a revoked partition waits for units under way before its lease is left to expire. */
  giveBackMs: number;
  lanes: KeyLanes<Unit>;
  monotonicNow: MonotonicClock;
  supervisor: Pick<ReadingSupervisor, 'insist'>;
}

/** The partitions of one topic that the group assigned to this runner, from assignment until their leases are released. */
export interface PartitionHolder {
  assigned(partition: number): void;
  revoked(partition: number): void;
  /** Gives the partition up and takes it again, and reads it from an offset that it has read already. */
  readAgain(partition: number, from: bigint): void;
  get(partition: number): OwnedPartition | undefined;
  all(): Iterable<OwnedPartition>;
  /** Whether this is the present lease of the partition. */
  isCurrent(lease: PartitionLease): boolean;
  /** Called when a stop has waited long enough: leases of partitions with work under way are left to expire. */
  abandonBusy(): void;
  /**
   * Called when the runner stops: it takes no partition from now on, and waits for no lease that another owner holds. Callers
   * that wait for such a partition get null.
   */
  giveUpWaiting(): void;
  /** Work of a partition began (1) or ended (-1): its lease is not released while work is under way. */
  count(partition: number, by: 1 | -1): void;
}

export function createPartitionHolder(deps: PartitionHolderDeps): PartitionHolder {
  const { topic, lanes, logger } = deps;
  const owned = new Map<number, OwnedPartition>();
  const busy = new Map<number, number>();
  /** Revoked partitions whose leases are not released yet: they are taken again only afterwards. */
  const leaving = new Map<number, Promise<void>>();

  let takesNoMore = false;

  const isBusy = (partition: number): boolean => (busy.get(partition) ?? 0) > 0;
  /**
   * The next owner must not start while a call of this runner may still take effect: the units under way start no further call.
   */
  const leaveToRunOut = (partition: number): void => {
    logger.warn('work outlasts its partition, the lease runs out', { topic, partition });
    deps.leases.abandon({ topic, partition });
  };
  /** Releases the lease once nothing of the partition is under way: the next owner, possibly this process, starts at once. */
  const giveBack = async (partition: number): Promise<void> => {
    const deadline = deps.monotonicNow() + deps.giveBackMs;
    while (isBusy(partition) && deps.monotonicNow() < deadline) await deps.sleep(20);
    if (isBusy(partition)) leaveToRunOut(partition);
    else await deps.leases.release({ topic, partition });
  };
  /** Tries until it succeeds, because the group has assigned the partition to this runner only. */
  const takeUntilRevoked = (entry: OwnedPartition): Promise<PartitionLease | null> => {
    const { partition } = entry;
    const take = (): Promise<PartitionLease | null> => takePartition(deps, entry).catch(async (error: unknown) => {
      await deps.leases.release({ topic, partition });
      throw error;
    });
    return deps.supervisor.insist({ topic, reader: deps.group, partition }, take, () => !entry.revoked && !takesNoMore);
  };
  const assigned = (partition: number, readFrom: bigint | null = null): void => {
    const entry: OwnedPartition = {
      topic,
      partition,
      ready: Promise.resolve(null),
      epoch: null,
      revoked: false,
      logEnd: 0n,
      readFrom,
      rewound: false,
      pausedAt: null,
      pausedWith: 0,
      lastCommitted: null,
      unfinished: createUnfinishedUnits(),
    };
    owned.set(partition, entry);
    // Its own older lease must be released first: renewals would keep it alive for ever.
    entry.ready = (leaving.get(partition) ?? Promise.resolve()).then(() => takeUntilRevoked(entry));
  };
  const revoked = (partition: number): void => {
    const entry = owned.get(partition);
    if (!entry) return;
    entry.revoked = true;
    owned.delete(partition);
    deps.leases.endFollowing({ topic, partition });
    lanes.revoke(partition);
    deps.scopes.forget(topic, partition);
    deps.crashWatch
      .givenUp({ topic, partition })
      .catch((error: unknown) => logger.warn('crash watch not ended', { topic, partition, error }));
    const left = (leaving.get(partition) ?? Promise.resolve()).then(() => giveBack(partition)).finally(() => {
      if (leaving.get(partition) === left) leaving.delete(partition);
    });
    leaving.set(partition, left);
    logger.debug('partition given up', { topic, partition });
  };
  return {
    assigned,
    revoked,
    readAgain: (partition, from) => {
      revoked(partition);
      assigned(partition, from);
    },
    get: (partition) => owned.get(partition),
    all: () => owned.values(),
    isCurrent: (lease) => lease.topic === topic && owned.get(lease.partition)?.epoch === lease.epoch,
    abandonBusy: () => {
      for (const partition of busy.keys()) if (isBusy(partition)) leaveToRunOut(partition);
    },
    giveUpWaiting: () => {
      takesNoMore = true;
      for (const { partition, epoch } of owned.values()) if (epoch === null) void deps.leases.release({ topic, partition });
    },
    count: (partition, by) => { busy.set(partition, (busy.get(partition) ?? 0) + by); },
  };
}

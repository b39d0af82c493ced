import type { KeyLanes } from '@sluice/key-lanes';
import type { PartitionLease } from '@sluice/ports';
import type { ReadingSupervisor } from '@sluice/service-kit';
import type { Unit } from '../units/unit';
import { createInHand } from './in-hand';
import type { OwnedPartition } from './owned-partition';
import { takePartition, type TakePartitionDeps } from './take-partition';

export interface PartitionHolderDeps extends TakePartitionDeps {
  topic: string;
  /** How long a partition that was taken away waits for what is under way before its lease is left to run out. */
  giveBackMs: number;
  lanes: KeyLanes<Unit>;
  monotonicNow(): number;
  supervisor: Pick<ReadingSupervisor, 'insist'>;
}

/** The partitions of one topic that the group gave this runner, from assignment until their leases are given back. */
export interface PartitionHolder {
  assigned(partition: number): void;
  revoked(partition: number): void;
  get(partition: number): OwnedPartition | undefined;
  all(): Iterable<OwnedPartition>;
  /** Whether this lease is the one the partition is held under now. */
  isCurrent(lease: PartitionLease): boolean;
  /** At the end of a stop's patience: leases of partitions with work under way are left to run out. */
  abandonBusy(): void;
  /** Stops trying for leases that are another's still: whoever waits for such a partition goes on without it. */
  giveUpWaiting(): void;
  /** Work of a partition began (1) or ended (-1): its lease is kept while there is any. */
  count(partition: number, by: 1 | -1): void;
}

export function createPartitionHolder(deps: PartitionHolderDeps): PartitionHolder {
  const { topic, lanes, logger } = deps;
  const owned = new Map<number, OwnedPartition>();
  const busy = new Map<number, number>();
  /** Partitions on their way out: until then nothing new is taken of them. */
  const leaving = new Map<number, Promise<void>>();

  const isBusy = (partition: number): boolean => (busy.get(partition) ?? 0) > 0;
  /** Its next owner must not start while a call of ours may still land: what is under way then starts no further one. */
  const leaveToRunOut = (partition: number): void => {
    logger.warn('work outlasts its partition, the lease runs out', { topic, partition });
    deps.leases.abandon({ topic, partition });
  };
  /** Gives the lease back once nothing of the partition is under way: its next owner, maybe this process, starts at once. */
  const giveBack = async (partition: number): Promise<void> => {
    const deadline = deps.monotonicNow() + deps.giveBackMs;
    while (isBusy(partition) && deps.monotonicNow() < deadline) await deps.sleep(20);
    if (isBusy(partition)) leaveToRunOut(partition);
    else await deps.leases.release({ topic, partition });
  };
  /** The group counts on us for it: whatever went wrong, nobody else will take it. */
  const takeUntilRevoked = (entry: OwnedPartition): Promise<PartitionLease | null> => {
    const { partition } = entry;
    const take = (): Promise<PartitionLease | null> => takePartition(deps, entry).catch(async (error: unknown) => {
      await deps.leases.release({ topic, partition });
      throw error;
    });
    return deps.supervisor.insist({ topic, reader: deps.group, partition }, take, () => !entry.revoked);
  };
  return {
    assigned: (partition) => {
      const entry: OwnedPartition = {
        topic,
        partition,
        ready: Promise.resolve(null),
        epoch: null,
        revoked: false,
        rewound: false,
        paused: false,
        lastCommitted: null,
        inHand: createInHand(),
      };
      owned.set(partition, entry);
      // Its own older lease must be given back first: kept alive by renewals it would never run out.
      entry.ready = (leaving.get(partition) ?? Promise.resolve()).then(() => takeUntilRevoked(entry));
    },
    revoked: (partition) => {
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
    },
    get: (partition) => owned.get(partition),
    all: () => owned.values(),
    isCurrent: (lease) => lease.topic === topic && owned.get(lease.partition)?.epoch === lease.epoch,
    abandonBusy: () => {
      for (const partition of busy.keys()) if (isBusy(partition)) leaveToRunOut(partition);
    },
    giveUpWaiting: () => {
      for (const { partition, epoch } of owned.values()) if (epoch === null) void deps.leases.release({ topic, partition });
    },
    count: (partition, by) => { busy.set(partition, (busy.get(partition) ?? 0) + by); },
  };
}

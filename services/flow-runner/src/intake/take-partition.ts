import type { KeyLanes } from '@sluice/key-lanes';
import type { EventBus, Logger, PartitionLease, RunStore, Subscription } from '@sluice/ports';
import type { CrashWatch } from '../crash-watch/crash-watch';
import type { HeldScopes } from '../held/held-scopes';
import type { PartitionLeases } from '../partitions/partition-leases';
import type { Unit } from '../units/unit';
import type { OwnedPartition } from './owned-partition';

export interface TakePartitionDeps {
  bus: Pick<EventBus, 'lag'>;
  heldStore: Pick<RunStore, 'heldConnectors'>;
  leases: PartitionLeases;
  scopes: HeldScopes;
  crashWatch: Pick<CrashWatch, 'taken' | 'givenUp'>;
  lanes: KeyLanes<Unit>;
  /** The membership of the group that the partitions come from. */
  subscribed(): Promise<Pick<Subscription, 'rewind'>>;
  group: string;
  logger: Logger;
  sleep(ms: number): Promise<void>;
}

/** How long it waits before it asks the bus again for the committed offset. */
const lookAgainMs = 500;

/** The group's committed offset and the end of the log, asked for until the bus answers; null when it was revoked meanwhile. */
async function offsetsOf(deps: TakePartitionDeps, entry: OwnedPartition): Promise<{ committed: bigint; end: bigint } | null> {
  while (!entry.revoked) {
    try {
      const lag = await deps.bus.lag(entry.topic, deps.group);
      return lag.find((state) => state.partition === entry.partition) ?? { committed: 0n, end: 0n };
    } catch (error) {
      deps.logger.warn('committed offset unknown, asking again', { topic: entry.topic, partition: entry.partition, error });
      await deps.sleep(lookAgainMs);
    }
  }
  return null;
}

/** Connectors with held scopes that are read at a time. */
const pageSize = 1_000;

/**
 * Loads which connectors have held scopes, which a new owner must know before it starts. The scopes themselves are read when they
 * are needed.
 */
export async function openHeld(
  { scopes, heldStore }: Pick<TakePartitionDeps, 'scopes' | 'heldStore'>,
  lease: PartitionLease,
): Promise<void> {
  const partitionScopes = scopes.open(lease);
  for (let after: string | undefined; ;) {
    const page = await heldStore.heldConnectors(lease, pageSize, after);
    partitionScopes.open(page);
    if (page.length < pageSize) return;
    after = page.at(-1)!.connectorId;
  }
}

/**
 * Takes ownership of an assigned partition (docs/architecture.md, Who owns a partition): first the lease, then the held
 * scopes, then the start offset; only then its lanes open. The start offset is the lowest of three: the group's offset; the
 * settled offset of the store, because a restored store lacks what was settled and held since its backup (ADR 0052); the
 * offset from which the log gave known offsets again (ADR 0102). null: the partition was revoked meanwhile.
 */
export async function takePartition(deps: TakePartitionDeps, entry: OwnedPartition): Promise<PartitionLease | null> {
  const { topic, partition } = entry;
  const lease = await deps.leases.acquire({ topic, partition });
  if (!lease || entry.revoked) return null;
  await openHeld(deps, lease);
  const offsets = await offsetsOf(deps, entry);
  if (offsets === null || entry.revoked) return null;
  const { committed, end } = offsets;
  const settled = deps.leases.settledOffset(lease);
  const from = [settled, entry.readFrom].reduce<bigint>((low, one) => (one !== null && one < low ? one : low), committed);
  await deps.crashWatch.taken(lease, deps.leases.takenUnclean(lease), from);
  const subscription = await deps.subscribed();
  if (entry.revoked) return null;
  entry.epoch = lease.epoch;
  entry.logEnd = end;
  deps.lanes.assign(partition, lease.epoch);
  if (from > 0n) deps.lanes.skipTo(partition, lease.epoch, from - 1n);
  deps.leases.follow(lease, () => deps.lanes.committable(partition));
  // No await since the epoch was set: all messages delivered from now on were fetched from that offset.
  if (from < committed || entry.readFrom !== null) {
    entry.rewound = true;
    subscription.rewind(partition, from);
  }
  deps.logger.info('partition taken', {
    topic,
    partition,
    epoch: String(lease.epoch),
    committed: String(committed),
    from: String(from),
  });
  return lease;
}

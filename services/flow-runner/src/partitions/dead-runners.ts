import type { DeadOwner, EventBus, Logger, MonotonicClock, PartitionOwnership } from '@sluice/ports';

export interface DeadRunnersOptions {
  ownership: Pick<PartitionOwnership, 'deadOwners'>;
  bus: Pick<EventBus, 'removeMember'>;
  group: string;
  /** The owner of this process. */
  owner: string;
  /** For how long an owner has not renewed. */
  silentMs: number;
  monotonicNow: MonotonicClock;
  logger: Logger;
}

/** How long the group is given to form without the dead one before that is tried again. */
const againMs = 2_000;

/**
 * Looks for runners whose processes died, and takes them out of their groups: the log itself would give their partitions to
 * others only after its own timeout. When these may be taken is decided where the leases are (`PartitionOwnership.acquire`).
 */
export class DeadRunners {
  /** When each was last removed, as long as it owns something. */
  private removedAt = new Map<string, number>();

  constructor(private readonly options: DeadRunnersOptions) {}

  async look(): Promise<void> {
    const { ownership, owner, silentMs } = this.options;
    const dead = (await ownership.deadOwners(silentMs)).filter((one) => one.owner !== owner);
    const before = this.removedAt;
    this.removedAt = new Map(dead.map((one) => [one.owner, before.get(one.owner) ?? -Infinity]));
    await Promise.all(dead.map((one) => this.found(one, !before.has(one.owner))));
  }

  private async found({ owner, silentMs, partitions }: DeadOwner, isNew: boolean): Promise<void> {
    const { monotonicNow, logger } = this.options;
    const counts = { owner, silent_ms: Math.round(silentMs), partitions: partitions.length };
    if (isNew) logger.warn('a flow runner died, its partitions move', counts);
    if (monotonicNow() < this.removedAt.get(owner)! + againMs) return;
    this.removedAt.set(owner, monotonicNow());
    await Promise.all([...new Set(partitions.map((ref) => ref.topic))].map((topic) => this.remove(owner, topic)));
  }

  private async remove(owner: string, topic: string): Promise<void> {
    const { bus, group, logger } = this.options;
    try {
      await bus.removeMember(topic, group, owner);
    } catch (error) {
      logger.warn('a flow runner that died was not removed from its group', { owner, topic, error });
    }
  }
}

import { stickyAssignment } from '../../bus-kit';

/** Callbacks of a member: `revoked` of the old owner is called before `assigned` of the new one. */
interface Member {
  assigned(partition: number): void;
  revoked(partition: number): void;
}

/** A consumer group of the in-memory bus: who has which partition, and how far it got. */
export interface MemoryGroup {
  /** Next offset to read, per partition. */
  committed: Map<number, bigint>;
  /** Rebalances at once; the answer leaves the group (any number of times). */
  join(member: Member): () => void;
}

export function createMemoryGroup(partitions: number): MemoryGroup {
  const members = new Map<string, Member>();
  let owners = new Map<number, string>();
  let joined = 0;

  const rebalance = (): void => {
    const before = owners;
    owners = stickyAssignment(partitions, [...members.keys()], before);
    const moved = [...Array(partitions).keys()].filter((partition) => before.get(partition) !== owners.get(partition));
    for (const partition of moved) members.get(before.get(partition) ?? '')?.revoked(partition);
    for (const partition of moved) members.get(owners.get(partition) ?? '')?.assigned(partition);
  };

  return {
    committed: new Map(),
    join: (member) => {
      const id = `member-${(joined += 1)}`;
      members.set(id, member);
      rebalance();
      return () => {
        if (!members.has(id)) return;
        for (const [partition, owner] of owners) if (owner === id) member.revoked(partition);
        members.delete(id);
        rebalance();
      };
    },
  };
}

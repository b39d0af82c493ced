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
  join(member: Member, name?: string): () => void;
  /** Removes the members of this name, which then join again. */
  remove(name: string): number;
}

/** A member as long as it has not left: its id is another one each time that it joins. */
interface Membership {
  id: string;
  name: string | undefined;
}

export function createMemoryGroup(partitions: number): MemoryGroup {
  const members = new Map<string, Member>();
  const memberships = new Set<Membership>();
  let owners = new Map<number, string>();
  let joined = 0;

  const rebalance = (): void => {
    const before = owners;
    owners = stickyAssignment(partitions, [...members.keys()], before);
    const moved = [...Array(partitions).keys()].filter((partition) => before.get(partition) !== owners.get(partition));
    for (const partition of moved) members.get(before.get(partition) ?? '')?.revoked(partition);
    for (const partition of moved) members.get(owners.get(partition) ?? '')?.assigned(partition);
  };
  const enter = (membership: Membership, member: Member): void => {
    membership.id = `member-${(joined += 1)}`;
    members.set(membership.id, member);
    rebalance();
  };
  const leave = ({ id }: Membership): void => {
    const member = members.get(id);
    if (!member) return;
    for (const [partition, owner] of owners) if (owner === id) member.revoked(partition);
    members.delete(id);
    rebalance();
  };

  return {
    committed: new Map(),
    join: (member, name) => {
      const membership: Membership = { id: '', name };
      memberships.add(membership);
      enter(membership, member);
      return () => {
        memberships.delete(membership);
        leave(membership);
      };
    },
    remove: (name) => {
      const removed = [...memberships].filter((membership) => membership.name === name);
      for (const membership of removed) {
        const member = members.get(membership.id)!;
        leave(membership);
        // It learns of it a moment later.
        queueMicrotask(() => { if (memberships.has(membership)) enter(membership, member); });
      }
      return removed.length;
    },
  };
}

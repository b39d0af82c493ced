import { stickyAssignment } from '@sluice/ports/bus-kit';
import { AssignerProtocol, type PartitionAssigner } from 'kafkajs';

/** The partitions of a member, as it reports them to the group's leader. */
export interface Holding {
  partitions: number[];
  /** When it got them, milliseconds since the epoch: of two members that report a partition, the later one counts. */
  since: number;
}

const name = 'SluiceSticky';
const version = 1;

/**
 * kafkajs's own assigner redistributes everything at every change; with this one members keep their partitions. Every member of a
 * group must use it.
 */
export function stickyAssigner(topic: string, holding: () => Holding): PartitionAssigner {
  return ({ cluster }) => ({
    name,
    version,
    protocol: ({ topics }) => ({
      name,
      metadata: AssignerProtocol.MemberMetadata.encode({ version, topics, userData: Buffer.from(JSON.stringify(holding())) }),
    }),
    assign: async ({ members }) => {
      const claims = members.map(({ memberId, memberMetadata }) => ({ memberId, holding: readHolding(memberMetadata) }));
      const current = new Map<number, string>();
      for (const { memberId, holding: held } of claims.sort((a, b) => a.holding.since - b.holding.since)) {
        for (const partition of held.partitions) current.set(partition, memberId);
      }
      const partitions = cluster.findTopicPartitionMetadata(topic).length;
      const wanted = stickyAssignment(partitions, members.map(({ memberId }) => memberId), current);
      return members.map(({ memberId }) => {
        const mine = [...wanted].filter(([, owner]) => owner === memberId).map(([partition]) => partition);
        return {
          memberId,
          memberAssignment: AssignerProtocol.MemberAssignment.encode({
            version,
            assignment: { [topic]: mine },
            userData: Buffer.alloc(0),
          }),
        };
      });
    },
  });
}

function readHolding(metadata: Buffer): Holding {
  const nothing = { partitions: [], since: 0 };
  const userData = AssignerProtocol.MemberMetadata.decode(metadata)?.userData;
  return userData && userData.length > 0 ? (JSON.parse(userData.toString()) as Holding) : nothing;
}

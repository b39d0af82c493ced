import type { KafkaBusOptions } from './client/kafka-bus-options';
import { withinTime } from './client/within-time';
import { protocolError } from './publishing/publish-outcome';
import { type BrokerAddress, nameOf } from './cluster/broker-address';
import { type BrokerLink, openBrokerLink } from './cluster/broker-link';

const requestTimeoutMs = 2_000;
const patienceMs = 4_000;

/**
 * Takes the members with this client id out of a group. On connections of its own: a broker answers the requests of a connection
 * one after the other, and on those of the consumers it may be holding back an answer until the dead member has joined.
 * @param known a broker that answers
 * @returns how many there were
 */
export async function removeMembers(
  options: KafkaBusOptions, known: BrokerAddress, groupId: string, clientId: string,
): Promise<number> {
  const links: BrokerLink[] = [];
  const connected = async (address: BrokerAddress): Promise<BrokerLink> => {
    const link = openBrokerLink(options, address, requestTimeoutMs);
    links.push(link);
    await link.connect();
    return link;
  };
  const remove = async (): Promise<number> => {
    const first = await connected(known);
    const address = await first.coordinatorOf(groupId);
    const coordinator = nameOf(address) === nameOf(known) ? first : await connected(address);
    const found = (await coordinator.membersOf(groupId)).filter((member) => member.clientId === clientId);
    for (const { memberId } of found) await coordinator.leaveGroup(groupId, memberId).catch(unlessGone);
    for (const link of links) await link.disconnect();
    return found.length;
  };
  try {
    return await withinTime(patienceMs, remove());
  } finally {
    for (const link of links) link.cut();
  }
}

/** Others look for the dead too. */
function unlessGone(error: unknown): void {
  if (protocolError(error) !== 'UNKNOWN_MEMBER_ID') throw error;
}

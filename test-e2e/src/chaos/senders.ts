import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../support/cluster';
import { type Accepted, type Outgoing, sendAll } from '../support/sender';

/** What one tenant's senders have sent: all of it was accepted. */
export interface Sent {
  accepted: Accepted[];
  /** The newest accepted version of each customer by address, and of each order by number. */
  customers: Map<string, number>;
  orders: Map<string, number>;
}

interface Sender {
  /** The request of a round: the same records each time, with the round as their version. */
  request(round: number): Outgoing;
  noted(sent: Sent, round: number): void;
}

/** How long a request is sent again before the run gives up: longer than any trouble. */
const acceptedWithinMs = 180_000;
/** Records of a request of customers. */
const customersAtOnce = 5;

const addressOf = (sender: number, index: number): string => `c${sender}-${index}@shop.test`;

function customersOf(sender: number): Sender {
  const addresses = Array.from({ length: customersAtOnce }, (_, index) => addressOf(sender, index));
  return {
    request: (round) => ({
      key: `customers-${sender}-${round}`,
      body: {
        event: 'customer.changed',
        entities: addresses.map((email) => ({
          type: 'customer', externalObjectId: email, properties: { email, name: `Customer ${email}`, version: round },
        })),
      },
    }),
    noted: ({ customers }, round) => addresses.forEach((address) => customers.set(address, round)),
  };
}

/** Each order is sent four times, so that there are always new ones to create. */
function ordersOf(sender: number): Sender {
  const numberOf = (round: number): string => `N${sender}-${Math.floor(round / 4)}`;
  return {
    request: (round) => {
      const number = numberOf(round);
      const customer = { email: addressOf(sender, round % customersAtOnce) };
      const data = { number, title: `Order ${number}`, stage: 'appointmentscheduled', version: round, customer };
      return { key: `order-${sender}-${round}`, body: { event: 'order.placed', data } };
    },
    noted: ({ orders }, round) => void orders.set(numberOf(round), round),
  };
}

/** The list, begun at another place: the first address gets the first try. */
const turnedBy = <T>(items: readonly T[], by: number): T[] => {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
};

/** As many again send orders. */
const sendersPerTenant = 3;

/**
 * Sends customers and orders of every tenant until `signal`. A sender has one request under way and records of its own, whose
 * versions therefore are accepted in their order; what is not answered with 202 is sent again with the same Idempotency-Key.
 * @param rate requests per second of all senders together
 * @param onAccepted called with each accepted request
 */
export async function sendUntil(
  signal: AbortSignal,
  bases: () => string[],
  tenants: readonly Tenant[],
  { rate, onAccepted }: { rate: number; onAccepted(): void },
): Promise<Sent[]> {
  const pauseMs = (tenants.length * sendersPerTenant * 2 * 1_000) / rate;
  return Promise.all(tenants.map(async ({ connectorKey }) => {
    const sent: Sent = { accepted: [], customers: new Map(), orders: new Map() };
    const run = async (sender: Sender, place: number): Promise<void> => {
      for (let round = 1; !signal.aborted; round += 1) {
        const wait = sleep(pauseMs);
        const turned = turnedBy(bases(), round + place);
        const bounds = { senders: 1, deadlineMs: acceptedWithinMs };
        sent.accepted.push(...(await sendAll(() => turned, connectorKey, [sender.request(round)], bounds)));
        sender.noted(sent, round);
        onAccepted();
        await wait;
      }
    };
    const senders = Array.from({ length: sendersPerTenant }, (_, index) => [customersOf(index), ordersOf(index)]).flat();
    await Promise.all(senders.map(run));
    return sent;
  }));
}

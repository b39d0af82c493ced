import { connectorLane, entityLane } from '@sluice/contracts';
import type { Prng } from '../time/prng';
import type { Scenario } from './scenario';
import type { SimEventType } from './sim-event-types';

/** A ticket as an event names it. `item`: its place in the list that names it. */
export interface SimTicket {
  subject: string;
  n: number;
  item: number;
}

export interface SimPayload {
  n: number;
  number: string;
  /** The property that the guard of orders checks. A stranger is another order with the same number. */
  title: string;
  region: string;
  customer: { email: string; n: number };
  /** The one ticket that is opened or closed. */
  ticket?: SimTicket;
  /** The tickets of a list: one may be listed twice, and its later entry counts. */
  tickets?: { ticket: SimTicket }[];
}

/** The same values, written by the event of another number. */
export function numbered(payload: SimPayload, n: number): SimPayload {
  const { ticket, tickets } = payload;
  return {
    ...payload,
    n,
    customer: { ...payload.customer, n },
    ...(ticket ? { ticket: { ...ticket, n } } : {}),
    ...(tickets ? { tickets: tickets.map((entry) => ({ ticket: { ...entry.ticket, n } })) } : {}),
  };
}

/** The tickets that an event names, in their order. */
export const ticketsOf = ({ ticket, tickets }: SimPayload): SimTicket[] =>
  ticket ? [ticket] : (tickets ?? []).map((entry) => entry.ticket);

/** The payload of an event about one customer. */
export const customerPayload = (n: number, customer: string): SimPayload =>
  ({ n, number: 'N0', title: 'order N0', region: 'here', customer: { email: `${customer}@shop.test`, n } });

/** Draws the payload of an event of a type. */
export function drawPayload(prng: Prng, scenario: Scenario, kind: SimEventType, n: number): SimPayload {
  const poison = prng.chance(0.03) ? prng.pick(['poison-500', 'poison-400', 'poison-207']) : null;
  const email = `${poison ?? `c${prng.int(scenario.customers)}`}@shop.test`;
  const number = `N${prng.int(scenario.orders)}`;
  const order = prng.chance(0.03) ? { title: 'a stranger', region: 'elsewhere' } : { title: `order ${number}`, region: 'here' };
  const payload: SimPayload = { n, number, ...order, customer: { email, n } };
  const ticket = (item: number): SimTicket => ({ subject: `T${prng.int(scenario.tickets)}`, n, item });
  if (kind === 'tickets.listed' || kind === 'tickets.marked') {
    const entries = 1 + prng.int(scenario.longestList);
    return { ...payload, tickets: Array.from({ length: entries }, (_, item) => ({ ticket: ticket(item) })) };
  }
  return kind === 'ticket.opened' || kind === 'ticket.closed' ? { ...payload, ticket: ticket(0) } : payload;
}

/** The external id of an event; null: it is about more than one record. */
export function externalIdOf(kind: SimEventType, { number, customer, ticket }: SimPayload): string | null {
  if (kind === 'customer_synced' || kind === 'customer.told') return customer.email;
  return kind === 'shipping.planned' || kind === 'order.told' ? number : (ticket?.subject ?? null);
}

const laneEntities: Partial<Record<SimEventType, string>> = {
  customer_synced: 'customer',
  'shipping.planned': 'order',
  'customer.told': 'customer',
  'order.told': 'order',
  'ticket.opened': 'ticket',
  'ticket.closed': 'ticket',
};

/** The lane of an event with per-record ordering. */
export function recordLaneOf(connectorId: string, kind: SimEventType, payload: SimPayload): string {
  const [entity, externalId] = [laneEntities[kind], externalIdOf(kind, payload)];
  return entity === undefined || externalId === null ? connectorLane(connectorId) : entityLane(connectorId, entity, externalId);
}

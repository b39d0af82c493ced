import { createSeededRandom, type SeededRandom } from '@sluice/seeded-random';
import { type ShopPerson, shopPeople } from './shop-people';
import { channels, products } from './shop-words';

/** The body of one `POST /api/v1/events`. */
export interface EventBody {
  event: string;
  recordKey?: string;
  timestamp: string;
  data?: Record<string, unknown>;
  entities?: { type: string; externalObjectId: string; properties: Record<string, unknown> }[];
}

/** One request of the demo. The same key at every start: sending it again is the same event. */
export interface DemoEvent {
  key: string;
  body: EventBody;
}

type Timed = { at: number; body: Omit<EventBody, 'timestamp'> };

const firstOrderAt = Date.UTC(2026, 0, 5, 8, 0, 0);
const minute = 60_000;
const counts = { people: 130, orders: 190, subscribers: 30 } as const;
/** Raised when the events change, so that a new build's demo is not taken for the old one. */
const edition = 'demo-1';

/** The demo's events in the order in which the shop sends them; the same at every call. */
export function demoEvents(seed = 2026): DemoEvent[] {
  const random = createSeededRandom(seed);
  const people = shopPeople(random, counts.people);
  const events: Timed[] = [
    newsletter(random, people),
    ...people.filter(() => random.chance(0.25)).map((person) => registration(random, person)),
  ];
  for (let number = 0; number < counts.orders; number += 1) events.push(...orderStory(random, random.pick(people), number));
  events.push(...badOrders(random, people));
  return events
    .sort((a, b) => a.at - b.at)
    .map(({ at, body }, index) => ({ key: `${edition}-${index}`, body: { ...body, timestamp: new Date(at).toISOString() } }));
}

/** One request that carries many records (`entities`), some of them customers too. */
function newsletter(random: SeededRandom, people: readonly ShopPerson[]): Timed {
  const entities = people.slice(0, counts.subscribers).map(({ customer }) => ({
    type: 'subscriber',
    externalObjectId: `S-${customer.id}`,
    properties: { email: customer.email, topics: random.pick(['news', 'offers', 'news;offers']) },
  }));
  return { at: firstOrderAt - minute, body: { event: 'newsletter.export', entities } };
}

function registration(random: SeededRandom, { customer, company }: ShopPerson): Timed {
  return {
    at: firstOrderAt + random.between(0, 60) * minute,
    body: { event: 'customer.registered', recordKey: customer.id, data: { customer, company } },
  };
}

/** An order and its later states: every state is an event, in order. */
function orderStory(random: SeededRandom, person: ShopPerson, number: number): Timed[] {
  const order = newOrder(random, `SH-${10_001 + number}`);
  const steps = random.pick([['placed'], ['placed'], ['placed', 'paid'], ['placed', 'paid', 'shipped'], ['placed', 'cancelled']]);
  let at = firstOrderAt + random.between(0, 600) * minute;
  return steps.map((status) => {
    const timed = {
      at,
      body: orderBody(`order.${status}`, { ...order, status, placed_at: order.placed_at ?? new Date(at).toISOString() }, person),
    };
    order.placed_at ??= new Date(at).toISOString();
    at += random.between(5, 240) * minute;
    return timed;
  });
}

interface Order {
  number: string;
  channel: string;
  currency: string;
  lines: { sku: string; name: string; quantity: number; price: number }[];
  total: unknown;
  status: string;
  placed_at?: string;
  test?: boolean;
}

function newOrder(random: SeededRandom, number: string): Order {
  const lines = Array.from({ length: random.between(1, 4) }, () => {
    const [name, sku, price] = random.pick(products);
    return { sku, name, quantity: random.between(1, 3), price };
  });
  const total = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  // Many shops send money as text.
  return { number, channel: random.pick(channels), currency: 'EUR', lines, total: total.toFixed(2), status: 'placed' };
}

function orderBody(event: string, order: Order, person: { customer: object; company: object | null }): Timed['body'] {
  return { event, recordKey: order.number, data: { order, ...person } };
}

/** Other events: errors, tests, and types without a flow. */
function badOrders(random: SeededRandom, people: readonly ShopPerson[]): Timed[] {
  const made = (index: number, event: string, order: Partial<Order>, customer: Record<string, unknown> = {}): Timed => {
    const person = people[index * 7]!;
    const at = firstOrderAt + random.between(60, 600) * minute;
    const whole = { ...newOrder(random, `SH-9000${index}`), placed_at: new Date(at).toISOString(), ...order };
    return { at, body: orderBody(event, whole, { customer: { ...person.customer, ...customer }, company: null }) };
  };
  return [
    made(0, 'order.placed', {}, { email: undefined }),
    made(1, 'order.placed', {}, { email: '' }),
    made(2, 'order.placed', {}, { email: 'anna(at)mail.example' }),
    made(3, 'order.placed', { status: 'teleported' }),
    made(4, 'order.placed', { status: 'teleported' }),
    made(5, 'order.placed', { total: 'twelve euros' }),
    made(6, 'order.placed', { test: true }),
    made(7, 'order.placed', { test: true }),
    made(8, 'cart.abandoned', {}),
    made(9, 'cart.abandoned', {}),
  ];
}

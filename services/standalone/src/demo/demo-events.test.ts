import { demoEvents } from './demo-events';

const events = demoEvents();
const order = (body: (typeof events)[number]['body']) =>
  (body.data as { order?: { number: string; status: string } } | undefined)?.order;

it('gives the same events under the same keys at every start', () => {
  expect(demoEvents()).toEqual(events);
  expect(new Set(events.map(({ key }) => key)).size).toBe(events.length);
  expect(demoEvents(7)).not.toEqual(events);
});

it('is a few hundred events in the order of their time', () => {
  expect(events.length).toBeGreaterThan(300);
  expect(events.length).toBeLessThan(600);
  const times = events.map(({ body }) => body.timestamp);
  expect(times).toEqual([...times].sort());
});

it('has the events of every order in their order, with a record key for each order', () => {
  const stories = new Map<string, string[]>();
  for (const { body } of events.filter(({ body: { event } }) => event.startsWith('order.'))) {
    expect(body.recordKey).toBe(order(body)!.number);
    stories.set(body.recordKey!, [...(stories.get(body.recordKey!) ?? []), order(body)!.status]);
  }
  const told = [...stories.values()].map((steps) => steps.join(' '));
  for (const steps of ['placed', 'placed paid', 'placed paid shipped', 'placed cancelled']) expect(told).toContain(steps);
});

it('has errors of every kind, customers that order twice, and companies in several spellings', () => {
  const orders = events.filter(({ body }) => body.event === 'order.placed');
  const customers = orders.map(({ body }) => (body.data as { customer: { email?: string } }).customer.email);
  expect(customers).toContain(undefined);
  expect(orders.map(({ body }) => order(body)!.status)).toContain('teleported');
  expect(new Set(customers).size).toBeLessThan(customers.length);
  expect(customers.some((email) => email !== email?.toLowerCase().trim())).toBe(true);
  expect(events.some(({ body }) => body.event === 'cart.abandoned')).toBe(true);
  expect(events.some(({ body }) => (body.entities?.length ?? 0) > 1)).toBe(true);
});

it('names only people of domains that are reserved for examples', () => {
  const text = JSON.stringify(events);
  for (const [, domain] of text.matchAll(/@([a-z.-]+)"/gi)) expect(domain!.toLowerCase()).toMatch(/\.example$/);
});

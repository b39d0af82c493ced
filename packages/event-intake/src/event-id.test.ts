import { createEventIds, eventIdKeys } from './event-id';

const [key, otherKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const ids = createEventIds([key]);
const [mine, theirs] = ['5f0c1c9e-0000-4000-8000-000000000001', '5f0c1c9e-0000-4000-8000-000000000002'];
const now = Date.parse('2026-03-02T10:00:00Z');
const day = 86_400_000;

test('an id is short and unique, and contains its time', () => {
  const many = new Set(Array.from({ length: 2_000 }, () => ids.create(mine, now)));
  expect(many.size).toBe(2_000);
  const [id = ''] = many;
  expect(id).toMatch(/^evt_[\w-]{40}$/);
  expect(ids.read(mine, id)).toEqual({ earliest: now, latest: now });
});

test('an id that was not made for the connector is refused', () => {
  const id = ids.create(mine, now);
  expect(ids.read(theirs, id)).toBeNull();
  expect(createEventIds([otherKey]).read(mine, id)).toBeNull();
  for (const bad of ['', 'evt_', 'evt_nothing', id.slice(0, -1), `${id}A`, `x${id.slice(1)}`])
    expect(ids.read(mine, bad)).toBeNull();
  for (let at = 4; at < id.length; at += 1)
    expect(ids.read(mine, id.slice(0, at) + (id[at] === 'A' ? 'B' : 'A') + id.slice(at + 1))).toBeNull();
});

test('ids of a replaced key stay readable while it is listed', () => {
  const rotated = createEventIds([otherKey, key]);
  expect(rotated.read(mine, ids.create(mine, now))).not.toBeNull();
  expect(ids.read(mine, rotated.create(mine, now))).toBeNull();
});

test('a derived id is the same for the day and leads to the one of the day before', () => {
  const derived = ids.derive(mine, 'idempotency-key', 'k', now);
  expect(ids.derive(mine, 'idempotency-key', 'k', now + 13 * 3_600_000)).toEqual(derived);
  const others = [
    ids.derive(theirs, 'idempotency-key', 'k', now),
    ids.derive(mine, 'webhook', 'k', now),
    ids.derive(mine, 'idempotency-key', 'l', now),
    ids.derive(mine, 'idempotency-key', 'k', now + day),
  ];
  expect(new Set([derived, ...others].map(({ id }) => id)).size).toBe(5);
  expect(others[3]?.aliases).toEqual([derived.id]);
  expect(ids.read(mine, derived.id)).toEqual({ earliest: Date.parse('2026-03-02'), latest: Date.parse('2026-03-03') });
});

test('near the end of a day the next day\'s id is an alias too: the clock of another ingest-api may be ahead', () => {
  const at = (time: string) => ids.derive(mine, 'idempotency-key', 'k', Date.parse(time));
  const next = at('2026-03-03T00:00:00Z');
  expect(at('2026-03-02T23:50:00Z')).toMatchObject({ aliases: [at('2026-03-01T12:00:00Z').id, next.id] });
  expect(at('2026-03-02T23:49:59.999Z').aliases).toHaveLength(1);
  expect(next.aliases).toEqual([at('2026-03-02T12:00:00Z').id]);
});

test('keys come from the setting, one each, and are not the encryption keys themselves', () => {
  const text = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
  const [first, second] = eventIdKeys(`a:${text(7)}, b:${text(8)}`);
  expect([first?.length, second?.length, first?.equals(second as Buffer), first?.equals(Buffer.alloc(32, 7))]).toEqual([
    32,
    32,
    false,
    false,
  ]);
  expect(eventIdKeys(`z:${text(8)}`)[0]).toEqual(second);
});

import { createEventIds } from './event-id';

const [a, b, c] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const connector = '5f0c1c9e-0000-4000-8000-000000000001';
const hourMs = 3_600_000;
const midnight = Date.parse('2026-03-03T00:00:00Z');

/** The documented rotation (docs/deployment.md): each pair are the lists of two processes that run side by side. */
const rotation = [
  ['before', [a], [a]],
  ['the new key is appended', [a], [a, b]],
  ['the new key moves to the front', [a, b], [b, a]],
  ['the old key is removed', [b, a], [b]],
  ['a second rotation while the first key is still listed', [b, a, c], [c, b, a]],
] as const;
const directions = rotation.flatMap(([name, one, other]) => [
  [`${name}: first by the old list`, one, other] as const,
  [`${name}: first by the new list`, other, one] as const,
]);

const derive = (keys: readonly Buffer[], now: number) =>
  createEventIds(keys).derive(connector, 'idempotency-key', 'order-1', now);

describe('a resend under one Idempotency-Key while the keys of event ids are rotated', () => {
  test.each(directions)('%s', (_name, first, second) => {
    const times = [-23.9, -12, -0.1, 0, 0.1, 12].map((hours) => midnight + hours * hourMs);
    for (const sentAt of times)
      for (const afterMs of [0, 1_000, 5 * hourMs, 24 * hourMs]) {
        const accepted = derive(first, sentAt);
        const resent = derive(second, sentAt + afterMs);
        expect([resent.id, ...resent.aliases]).toContain(accepted.id);
      }
  });

  test.each(directions)('%s, by a process whose clock is ten minutes behind', (_name, first, second) => {
    const accepted = derive(first, midnight + 1_000);
    const resent = derive(second, midnight + 1_000 - 600_000);
    expect([resent.id, ...resent.aliases]).toContain(accepted.id);
  });

  test('no alias is the id itself or named twice, also when a key is listed twice', () => {
    for (const keys of [[a], [a, b], [a, b, a], [a, a]])
      for (const now of [midnight - 1, midnight]) {
        const { id, aliases } = derive(keys, now);
        expect(new Set([id, ...aliases]).size).toBe(1 + aliases.length);
      }
  });

  test('ids of other values and connectors are no aliases', () => {
    const ids = createEventIds([b, a]);
    const mine = derive([b, a], midnight);
    for (const [scope, value] of [['idempotency-key', 'order-2'], ['webhook', 'order-1']] as const) {
      const other = ids.derive(connector, scope, value, midnight);
      expect([mine.id, ...mine.aliases].filter((id) => id === other.id || other.aliases.includes(id))).toEqual([]);
    }
  });
});

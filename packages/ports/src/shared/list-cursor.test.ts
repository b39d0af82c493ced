import fc from 'fast-check';
import { InvalidCursor, listCursor } from './list-cursor';
import { madeUpCursors } from '../testing';

const rows = listCursor('rows', 'time', 'id');
const held = listCursor('held', 'text', 'int', 'bigint', 'whole');
const id = '3f0c1a52-7a51-4d5e-9a3b-0c1d2e3f4a5b';
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a cursor leads back to its place; without one the list begins', () => {
  const place = ['2026-01-05T10:00:00.000Z', id] as [string, string];
  expect(rows.read(rows.of(place))).toEqual(place);
  expect(rows.read(undefined)).toBeNull();
  fc.assert(
    fc.property(fc.string(), fc.nat(2_147_483_647), fc.bigInt(0n, 2n ** 63n - 1n), fc.maxSafeNat(), (text, int, big, whole) => {
      if (/\0/.test(text)) return;
      const given = [text, int, String(big), whole] as [string, number, string, number];
      expect(held.read(held.of(given))).toEqual(given);
    }),
  );
});

test.each(madeUpCursors)('%j is no cursor', (cursor) => {
  for (const list of [rows, held]) expect(() => list.read(cursor)).toThrow(InvalidCursor);
});

test.each<[string, unknown]>([
  ['another list', ['conflicts', '2026-01-05T10:00:00.000Z', id]],
  ['too few parts', ['rows', '2026-01-05T10:00:00.000Z']],
  ['too many parts', ['rows', '2026-01-05T10:00:00.000Z', id, 1]],
  ['no time', ['rows', 'yesterday', id]],
  ['a time in other words', ['rows', '2026-01-05T10:00:00Z', id]],
  ['a year that no column has', ['rows', '0000-01-05T10:00:00.000Z', id]],
  ['a year of six digits', ['rows', '+010000-01-05T10:00:00.000Z', id]],
  ['no id', ['rows', '2026-01-05T10:00:00.000Z', id.toUpperCase()]],
])('the cursor of %s is refused', (_what, place) => {
  expect(() => rows.read(encoded(place))).toThrow(InvalidCursor);
});

test.each<[string, unknown]>([
  ['a NUL', ['held', 'a\0', 1, '1', 1]],
  ['half a pair', ['held', 'a\ud800', 1, '1', 1]],
  ['a negative number', ['held', 'a', -1, '1', 1]],
  ['a number of more than 32 bits', ['held', 'a', 2_147_483_648, '1', 1]],
  ['a number of more than 64 bits', ['held', 'a', 1, '9223372036854775808', 1]],
  ['half a number', ['held', 'a', 1, '1', 0.5]],
])('a place with %s is refused', (_what, place) => {
  expect(() => held.read(encoded(place))).toThrow(InvalidCursor);
});

test('another spelling of a place is refused', () => {
  const cursor = rows.of(['2026-01-05T10:00:00.000Z', id]);
  const spaced = Buffer.from(`["rows", "2026-01-05T10:00:00.000Z", "${id}"]`).toString('base64url');
  for (const other of [`${cursor}=`, `${cursor}!`, ` ${cursor}`, spaced]) expect(() => rows.read(other)).toThrow(InvalidCursor);
});

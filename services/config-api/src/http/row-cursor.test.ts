import { InvalidCursor } from '@sluice/ports';
import { madeUpCursors } from '@sluice/ports/testing';
import { rowCursor } from './row-cursor';

test('a cursor leads back to its row', () => {
  for (const last of [0, 1, 50, 1_000_000]) expect(rowCursor.read(rowCursor.of(last))).toBe(last);
  expect(rowCursor.read(undefined)).toBe(0);
});

test.each(madeUpCursors)('the cursor %j is refused', (cursor) => {
  expect(() => rowCursor.read(cursor)).toThrow(InvalidCursor);
});

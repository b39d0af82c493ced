import { rowCursor } from './row-cursor';

test('a cursor leads back to its row', () => {
  for (const last of [0, 1, 50, 1_000_000]) expect(rowCursor.read(rowCursor.of(last))).toBe(last);
  expect(rowCursor.read(undefined)).toBe(0);
});

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

const bad = ['', '5', 'nonsense', '..', encoded('["row",-1]'), encoded('{}')];

test.each(bad)('the cursor %j is refused at its place', (cursor) => {
  const entry = { type: 'value_error', loc: ['query', 'cursor'], input: cursor };
  const refusal = { status: 422, detail: [expect.objectContaining(entry)] };
  expect(() => rowCursor.read(cursor)).toThrow(expect.objectContaining(refusal));
});

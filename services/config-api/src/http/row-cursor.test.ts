import { rowCursor } from './row-cursor';

test('a cursor leads back to its row', () => {
  for (const last of [0, 1, 50, 1_000_000]) expect(rowCursor.read(rowCursor.of(last))).toBe(last);
  expect(rowCursor.read(undefined)).toBe(0);
});

test.each(['', '5', 'nonsense', '..', Buffer.from('["row",-1]').toString('base64url'), Buffer.from('{}').toString('base64url')])(
  'the cursor %j is refused at its place', (cursor) => {
    const entry = { type: 'value_error', loc: ['query', 'cursor'], input: cursor };
    expect(() => rowCursor.read(cursor)).toThrow(expect.objectContaining({ status: 422, detail: [expect.objectContaining(entry)] }));
  });

import fc from 'fast-check';
import { boundedValue, boundsOf, cutText } from './bounded-value';

const open = (text: string): string => text;

describe('a bounded value', () => {
  test('is the value itself while it fits', () => {
    const value = { a: [1, true, null, 'x'], b: { c: 'y' } };
    expect(boundedValue(value, boundsOf(1_000), open)).toEqual(value);
    expect(boundedValue(null, boundsOf(1_000), open)).toBeNull();
  });

  test('names what was left out of texts, lists, objects and depths', () => {
    expect(boundedValue('x'.repeat(1_010), boundsOf(10_000), open)).toBe(`${'x'.repeat(1_000)}… (+10 characters)`);
    const list = boundedValue(Array.from({ length: 60 }, (_, index) => index), boundsOf(10_000), open) as unknown[];
    expect([list.length, list.at(-1)]).toEqual([51, '… (+10 items)']);
    const wide = Object.fromEntries(Array.from({ length: 52 }, (_, index) => [`k${index}`, 1]));
    expect(boundedValue(wide, boundsOf(10_000), open)).toMatchObject({ k49: 1, '…': '+2 fields' });
    const deep = Array.from({ length: 12 }).reduce<unknown>((inner) => ({ inner }), 'end');
    expect(JSON.stringify(boundedValue(deep, boundsOf(10_000), open))).toContain('"…"');
  });

  test('is never much longer than its bound, for any value', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 500 }), (value, characters) => {
      const text = JSON.stringify(boundedValue(value, boundsOf(characters), open));
      // Quotes, escapes and the words that say what is missing come on top of each of at most `depth` open levels.
      expect(text.length).toBeLessThan(characters * 6 + 600);
    }), { numRuns: 300 });
  });

  test('keeps the fields around one that changes, and leaves the value as it was', () => {
    const mask = (text: string): string => text.replaceAll('s3cret', '***');
    const value = { a: 1, b: { c: 'x', d: 's3cret', e: null }, f: 'y' };
    expect(boundedValue(value, boundsOf(1_000), mask)).toEqual({ a: 1, b: { c: 'x', d: '***', e: null }, f: 'y' });
    expect(value.b.d).toBe('s3cret');
    expect(boundedValue({ s3cret: 1, a: 2 }, boundsOf(1_000), mask)).toEqual({ '***': 1, a: 2 });
  });

  test('masks texts and names before it cuts them', () => {
    const mask = (text: string): string => text.replaceAll('s3cret', '***');
    const long = `${'x'.repeat(997)}s3cret`;
    expect(boundedValue({ s3cret: [long] }, boundsOf(10_000), mask)).toEqual({ '***': [`${'x'.repeat(997)}***`] });
  });
});

test('a text is never cut inside a character', () => {
  expect(cutText('ab😀cd', 3)).toBe('ab… (+4 characters)');
});

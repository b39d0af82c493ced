import { memoryOf } from './memory-of';

describe('what a value takes in memory', () => {
  it('is its text and something for every value', () => {
    expect(memoryOf('abcd')).toBe(52);
    expect(memoryOf({ a: 'abcd', b: [1, null] })).toBe(5 * 48 + 4);
  });

  it('is many times the text of what is empty', () => {
    const text = `[${Array.from({ length: 10_000 }, () => '{}').join()}]`;
    expect(memoryOf(JSON.parse(text))).toBeGreaterThan(15 * text.length);
  });

  it('does not depend on how deep it is', () => {
    expect(memoryOf(JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)))).toBe(5_000 * 48);
  });
});

import { createSeededRandom } from './seeded-random';

const drawn = (seed: number, count = 20): number[] => {
  const random = createSeededRandom(seed);
  return Array.from({ length: count }, () => random.int(1_000));
};

test('the same seed gives the same numbers, here and everywhere', () => {
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(1, 5)).toEqual([493, 491, 476, 720, 911]);
});

test('neighbouring seeds give unrelated numbers from the first on', () => {
  const firsts = Array.from({ length: 200 }, (_, seed) => drawn(seed, 1)[0]!);
  expect(new Set(firsts).size).toBeGreaterThan(150);
  expect(Math.min(...firsts)).toBeLessThan(50);
  expect(Math.max(...firsts)).toBeGreaterThan(950);
});

test('bounds are kept and reached', () => {
  const random = createSeededRandom(3);
  const many = <T>(draw: () => T): Set<T> => new Set(Array.from({ length: 500 }, draw));
  expect([...many(() => random.int(3))].sort()).toEqual([0, 1, 2]);
  expect([...many(() => random.between(-1, 1))].sort((a, b) => a - b)).toEqual([-1, 0, 1]);
  expect([...many(() => random.pick(['a', 'b']))].sort()).toEqual(['a', 'b']);
  expect([...many(() => random.chance(0)), ...many(() => random.chance(1))]).toEqual([false, true]);
  const half = Array.from({ length: 1_000 }, () => random.chance(0.5)).filter(Boolean).length;
  expect(Math.abs(half - 500)).toBeLessThan(100);
});

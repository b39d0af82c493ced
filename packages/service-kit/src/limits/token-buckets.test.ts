import { monotonicClock } from '@sluice/ports';
import { createTokenBuckets } from './token-buckets';

function lab(options: { maxKeys?: number } = {}) {
  const clock = { now: 1_000_000 };
  const monotonicNow = monotonicClock(() => clock.now);
  return { clock, buckets: createTokenBuckets({ capacity: 10, perSecond: 2, maxKeys: 3, ...options, monotonicNow }) };
}

test('a bucket can be emptied, go into debt by at most its size, and refills', () => {
  const { clock, buckets } = lab();
  expect([buckets.left('a'), buckets.isFull('a')]).toEqual([10, true]);
  buckets.take('a', 4);
  expect([buckets.left('a'), buckets.isFull('a'), buckets.left('b')]).toEqual([6, false, 10]);
  buckets.take('a', 1_000);
  expect([buckets.left('a'), buckets.waitMs('a')]).toEqual([-10, 5_500]);
  clock.now += 5_500;
  expect([buckets.left('a'), buckets.waitMs('a')]).toEqual([1, 0]);
  clock.now += 60_000;
  expect([buckets.left('a'), buckets.size()]).toEqual([10, 0]);
  clock.now -= 30_000;
  buckets.take('a', 1);
  clock.now -= 30_000;
  expect(buckets.left('a')).toBe(9);
});

test('keeps a bounded number of keys: the least recently used one is dropped', () => {
  const { buckets } = lab();
  for (const key of ['a', 'b', 'c']) buckets.take(key, 5);
  buckets.take('a', 1);
  buckets.take('d', 5);
  expect(['a', 'b', 'c', 'd'].map((key) => buckets.left(key))).toEqual([4, 10, 5, 5]);
  expect(buckets.size()).toBe(3);
});

test('what was taken and not used can be given back, never more than the bucket holds', () => {
  const { buckets } = lab();
  buckets.take('a', 4);
  buckets.giveBack('a', 3);
  expect(buckets.left('a')).toBe(9);
  buckets.giveBack('a', 100);
  buckets.giveBack('never-used', 1);
  expect([buckets.left('a'), buckets.left('never-used')]).toEqual([10, 10]);
});

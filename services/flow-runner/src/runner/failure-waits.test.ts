import { createFailureWaits } from './failure-waits';

test('waits double up to a minute, separately for each key', () => {
  const waits = createFailureWaits<object>(500);
  const [one, other] = [{}, {}];
  expect(Array.from({ length: 9 }, () => waits.next(one))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
  ]);
  expect(waits.next(other)).toBe(500);
  waits.over(one);
  expect(waits.next(one)).toBe(500);
});

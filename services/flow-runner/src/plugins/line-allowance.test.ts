import { LineAllowance } from './line-allowance';

const hourMs = 3_600_000;

it('lines of a function are taken until the hour has no more, and again in the next one', () => {
  let now = 1_000;
  const allowance = new LineAllowance(10, () => now);
  expect([allowance.take('one', 8), allowance.take('one', 8), allowance.take('one', 8)]).toEqual([8, 2, 0]);
  expect(allowance.take('other', 8)).toBe(8);
  now += hourMs - 1;
  expect(allowance.take('one', 1)).toBe(0);
  now += 1;
  expect([allowance.take('one', 8), allowance.take('one', 8)]).toEqual([8, 2]);
});

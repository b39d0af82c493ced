import { createAllowance } from './allowance';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('time of waiting does not count', () => {
  const over = jest.fn();
  const allowance = createAllowance(100, over);
  jest.advanceTimersByTime(60);
  allowance.pause();
  jest.advanceTimersByTime(10_000);
  allowance.resume();
  jest.advanceTimersByTime(39);
  expect(over).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(over).toHaveBeenCalledTimes(1);
});

test('one that has ended does not begin again', () => {
  const over = jest.fn();
  const allowance = createAllowance(100, over);
  allowance.end();
  allowance.resume();
  jest.advanceTimersByTime(10_000);
  expect(over).not.toHaveBeenCalled();
});

test('tells what was used up, without the time of waiting', () => {
  const allowance = createAllowance(100, () => undefined);
  jest.advanceTimersByTime(30);
  expect(allowance.used()).toBe(30);
  allowance.pause();
  jest.advanceTimersByTime(10_000);
  allowance.resume();
  jest.advanceTimersByTime(5);
  allowance.end();
  expect(allowance.used()).toBe(35);
});

import { createMonotonicClock } from './create-monotonic-clock';

function lab() {
  const at = { wall: 1_000_000, monotonic: 50 };
  const now = createMonotonicClock({ wall: () => at.wall, monotonic: () => at.monotonic });
  const startedAt = now();
  /** Time passes for both clocks. */
  const pass = (ms: number): void => { at.wall += ms; at.monotonic += ms; };
  return { at, pass, elapsed: () => now() - startedAt };
}

test('counts the time that passes', () => {
  const { pass, elapsed } = lab();
  for (let second = 0; second < 60; second += 1) { pass(1_000); elapsed(); }
  expect(elapsed()).toBe(60_000);
});

test('does not go back with the wall clock, and does not stand still after it', () => {
  const { at, pass, elapsed } = lab();
  pass(2_000);
  at.wall -= 3_600_000;
  expect(elapsed()).toBe(2_000);
  pass(7_000);
  expect(elapsed()).toBe(9_000);
});

test('counts the time in which the machine was suspended', () => {
  const { at, pass, elapsed } = lab();
  pass(1_000);
  at.wall += 30_000;
  expect(elapsed()).toBe(31_000);
  pass(1_000);
  expect(elapsed()).toBe(32_000);
});

test('a wall clock that is set back and forth again ends a lease early at worst, never late', () => {
  const { at, pass, elapsed } = lab();
  at.wall -= 10_000;
  expect(elapsed()).toBe(0);
  pass(1_000);
  at.wall += 10_000;
  expect(elapsed()).toBeGreaterThanOrEqual(1_000);
});

test('does not add up the small differences of two clocks that are read one after the other', () => {
  const { at, elapsed } = lab();
  for (let look = 0; look < 10_000; look += 1) {
    at.monotonic += 0.1;
    at.wall = 1_000_000 + Math.floor(look / 10);
    elapsed();
  }
  expect(elapsed()).toBeLessThan(1_300);
});

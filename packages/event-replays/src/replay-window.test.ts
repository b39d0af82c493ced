import { ReplayWindow } from './replay-window';

const times = (count: number, at: number): number[] => Array.from({ length: count }, () => at);

/** A window after rounds in which all of it ends; `took`: milliseconds that records take with so many under way. */
function after(rounds: number, took: (size: number) => number, window = new ReplayWindow(1_000), from = 0): ReplayWindow {
  for (let round = 0, at = from; round < rounds; round += 1) {
    const startedAt = times(window.size, at);
    at += took(window.size);
    window.ended(startedAt, at, true);
  }
  return window;
}
const always = (ms: number) => (): number => ms;

it('begins small, doubles while records end soon, and comes to its bound', () => {
  expect(new ReplayWindow(1_000).size).toBe(100);
  expect(after(1, always(200)).size).toBe(200);
  expect(after(3, always(500)).size).toBe(800);
  expect(after(9, always(500)).size).toBe(1_000);
});

it('comes to its bound with a slow portal, too, where more under way do not take longer', () => {
  expect(after(9, always(3_000)).size).toBeLessThan(250);
  expect(after(30, always(3_000)).size).toBe(1_000);
});

it('stays near its least where records wait for each other, so that nobody waits a second longer than behind the fewest', () => {
  const inOneLane = (size: number): number => size * 20;
  for (let rounds = 1; rounds < 100; rounds += 1)
    expect(inOneLane(after(rounds, inOneLane).size) - inOneLane(100)).toBeLessThan(1_000);
});

it('stays as it is while less is started than it lets through', () => {
  const window = new ReplayWindow(1_000);
  window.ended(times(100, 0), 200, false);
  window.ended([], 200, true);
  expect(window.size).toBe(100);
});

it('halves when records take long, once for what was started before that, and not below what it began with', () => {
  const window = after(9, always(200));
  window.ended(times(500, 2_000), 2_800, true);
  expect(window.size).toBe(500);
  window.ended(times(500, 2_100), 3_600, true);
  expect(window.size).toBe(500);
  expect(after(1, always(800), window, 4_000).size).toBe(250);
  expect(after(2, always(5_000), window, 9_000).size).toBe(100);
});

it('grows again behind a portal that has become slow', () => {
  const window = after(9, always(200));
  expect(after(5, always(2_000), window, 10_000).size).toBeLessThan(500);
  expect(after(30, always(2_000), window, 100_000).size).toBe(1_000);
});

it('a bound below what windows begin with is the window', () => {
  expect(new ReplayWindow(3).size).toBe(3);
  expect(after(5, always(100), new ReplayWindow(3)).size).toBe(3);
  expect(after(5, always(5_000), new ReplayWindow(3)).size).toBe(3);
});

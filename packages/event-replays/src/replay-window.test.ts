import { ReplayWindow } from './replay-window';

const times = (count: number, at: number): number[] => Array.from({ length: count }, () => at);

/** A window whose records take `ms` each, after so many rounds in which all of it ends. */
function after(rounds: number, ms: number, window = new ReplayWindow(1_000), from = 0): ReplayWindow {
  for (let round = 0; round < rounds; round += 1) {
    const at = from + round * ms;
    window.ended(times(window.size, at), at + ms, true);
  }
  return window;
}

it('begins small, doubles while records end soon, and comes to its bound', () => {
  expect(new ReplayWindow(1_000).size).toBe(100);
  expect(after(1, 200).size).toBe(200);
  expect(after(3, 500).size).toBe(800);
  expect(after(9, 500).size).toBe(1_000);
});

it('stays as it is while records take neither short nor long, or while less is started than it lets through', () => {
  expect(after(9, 501).size).toBe(100);
  const window = new ReplayWindow(1_000);
  window.ended(times(100, 0), 200, false);
  window.ended([], 200, true);
  expect(window.size).toBe(100);
});

it('halves when records take long, once for what was started before that, and not below what it began with', () => {
  const window = after(9, 200);
  window.ended(times(500, 2_000), 2_800, true);
  expect(window.size).toBe(500);
  window.ended(times(500, 2_100), 3_600, true);
  expect(window.size).toBe(500);
  expect(after(1, 800, window, 4_000).size).toBe(250);
  expect(after(9, 5_000, window, 9_000).size).toBe(100);
});

it('a bound below what windows begin with is the window', () => {
  expect(new ReplayWindow(3).size).toBe(3);
  expect(after(5, 100, new ReplayWindow(3)).size).toBe(3);
  expect(after(5, 5_000, new ReplayWindow(3)).size).toBe(3);
});

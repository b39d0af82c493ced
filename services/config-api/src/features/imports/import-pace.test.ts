import type { MonotonicClock } from '@sluice/ports';
import { ImportPace } from './import-pace';

/** Runners that end so many rows a second, whatever is under way. @returns the window after each second */
function windows(perSecond: number, seconds: number, most = 1_000): number[] {
  let [now, underWay] = [0, 0];
  const pace = new ImportPace(most, (() => now) as MonotonicClock);
  const found: number[] = [];
  for (let tick = 1; tick <= seconds * 10; tick += 1) {
    now += 100;
    underWay = Math.max(0, underWay - perSecond / 10);
    const room = pace.room(underWay);
    pace.add(room);
    underWay += room;
    if (tick % 10 === 0) found.push(pace.window(underWay));
  }
  return found;
}

test('grows to what fast runners end in half a second, and to no more than the setting', () => {
  expect(windows(1_200, 8).at(-1)).toBe(600);
  expect(windows(10_000, 8).at(-1)).toBe(1_000);
});

test('stays small where rows end slowly, or not at all', () => {
  expect(new Set(windows(100, 5))).toEqual(new Set([200]));
  expect(new Set(windows(0, 3))).toEqual(new Set([200]));
});

test('is never more than the setting, however small that is', () => {
  expect(new Set(windows(10_000, 3, 4))).toEqual(new Set([4]));
});

test('lets whole calls of the CRM begin, and halves of a window that is smaller', () => {
  const roomsOf = (most: number, underWay: number[]): number[] => {
    const pace = new ImportPace(most, (() => 0) as MonotonicClock);
    return underWay.map((rows) => pace.room(rows));
  };
  expect(roomsOf(1_000, [0, 1, 100, 101, 200, 300])).toEqual([200, 100, 100, 0, 0, 0]);
  expect(roomsOf(2, [0, 1, 2])).toEqual([2, 1, 0]);
});

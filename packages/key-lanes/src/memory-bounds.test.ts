import { createKeyLanes, type KeyLanes } from './index';
import { all, items, lanesWith } from './testing/lanes-with';

const heavy = (words: string, bytes: number, from = 0, partition = 0) =>
  items(words, from, partition).map((item) => ({ ...item, bytes }));
const pausing = (lanes: KeyLanes<string>, partition = 0) => [lanes.shouldPause(partition), lanes.shouldResume(partition)];

describe('memory of items', () => {
  test('a partition pauses at its bound and goes on at half of it', () => {
    const lanes = lanesWith({ maxBytes: 1_000 });
    lanes.add(heavy('a b c', 300), 0, 1n);
    expect(pausing(lanes)).toEqual([false, false]);
    lanes.add(heavy('d', 100, 3), 0, 1n);
    const works = all(lanes);
    expect(pausing(lanes)).toEqual([true, false]);
    lanes.complete(works[0]!);
    expect(pausing(lanes)).toEqual([false, false]);
    lanes.complete(works[1]!);
    expect(pausing(lanes)).toEqual([false, true]);
  });

  test('one item above the bound passes, alone', () => {
    const lanes = lanesWith({ maxBytes: 1_000 });
    expect(lanes.add(heavy('a', 5_000), 0, 1n)).toBe(1);
    expect(pausing(lanes)).toEqual([true, false]);
    lanes.complete(all(lanes)[0]!);
    expect(pausing(lanes)).toEqual([false, true]);
  });

  test('at the bound of all partitions together, those pause that have at least their share', () => {
    const lanes = lanesWith({ maxTotalBytes: 1_000 });
    lanes.assign(1, 1n);
    lanes.add(heavy('a b', 400), 0, 1n);
    lanes.add(heavy('c', 200, 0, 1), 1, 1n);
    expect([lanes.shouldPause(0), lanes.shouldPause(1)]).toEqual([true, false]);
    all(lanes).filter(({ item }) => item.partition === 0).forEach((work) => lanes.complete(work));
    expect(pausing(lanes)).toEqual([false, true]);
  });

  test('a revoked partition counts nothing', () => {
    const lanes = lanesWith({ maxTotalBytes: 1_000 });
    lanes.assign(1, 1n);
    lanes.add(heavy('a', 900), 0, 1n);
    lanes.revoke(0);
    lanes.add(heavy('b', 600, 0, 1), 1, 1n);
    expect(lanes.shouldPause(1)).toBe(false);
  });

  test('an invalid bound is refused', () => {
    expect(() => createKeyLanes({ maxInFlight: 1, maxBuffered: 1, maxBytes: 0 })).toThrow('maxBytes');
  });
});

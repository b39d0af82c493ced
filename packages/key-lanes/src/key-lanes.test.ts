import { createKeyLanes } from './index';
import { all, items, lanesWith, offsets } from './testing/lanes-with';

describe('what may start', () => {
  test('one item of a lane at a time, lanes in parallel', () => {
    const lanes = lanesWith();
    lanes.add(items('a b a a b'), 0, 1n);
    const [a, b] = all(lanes);
    expect(offsets([a!, b!])).toEqual([0, 1]);
    expect(all(lanes)).toEqual([]);
    lanes.complete(a!);
    expect(offsets(all(lanes))).toEqual([2]);
    lanes.complete(b!);
    expect(offsets(all(lanes))).toEqual([4]);
  });

  test('never more than maxInFlight, nor more than asked', () => {
    const lanes = lanesWith({ maxInFlight: 3 });
    lanes.add(items('a b c d e f'), 0, 1n);
    expect(lanes.take(2)).toHaveLength(2);
    const [third, ...none] = lanes.take(10);
    expect(none).toEqual([]);
    expect(lanes.take(10)).toEqual([]);
    lanes.complete(third!);
    expect(lanes.take(10)).toHaveLength(1);
    expect(lanes.take(0)).toEqual([]);
  });

  test('groups take turns, however many lanes a group has', () => {
    const lanes = lanesWith();
    lanes.add(items('a1 a2 a3 a4 b1 b2 c1'), 0, 1n);
    expect(lanes.take(3).map(({ item }) => item.lane)).toEqual(['a1', 'b1', 'c1']);
    expect(lanes.take(4).map(({ item }) => item.lane)).toEqual(['a2', 'b2', 'a3', 'a4']);
  });

  test('a released item is the next of its lane', () => {
    const lanes = lanesWith();
    lanes.add(items('a a'), 0, 1n);
    const [work] = all(lanes);
    expect(lanes.release(work!)).toBe(true);
    expect(lanes.committable(0)).toBe(0n);
    expect(offsets(all(lanes))).toEqual([0]);
    expect(lanes.complete(work!)).toBe(false);
    expect(lanes.committable(0)).toBe(0n);
  });

  test('nothing of a blocked group, until it is unblocked', () => {
    const lanes = lanesWith();
    lanes.blockGroup('a');
    lanes.add(items('a1 a2 b1 b2'), 0, 1n);
    lanes.blockGroup('b');
    expect(offsets(all(lanes))).toEqual([]);
    lanes.unblockGroup('a');
    expect(offsets(all(lanes))).toEqual([0, 1]);
    lanes.unblockGroup('b');
    expect(offsets(all(lanes))).toEqual([2, 3]);
  });

  test('a group that is blocked while its items run continues when it is unblocked', () => {
    const lanes = lanesWith();
    lanes.add(items('a a'), 0, 1n);
    const [work] = all(lanes);
    lanes.blockGroup('a');
    lanes.complete(work!);
    expect(all(lanes)).toEqual([]);
    lanes.unblockGroup('a');
    expect(offsets(all(lanes))).toEqual([1]);
  });

  test('nothing while draining', () => {
    const lanes = lanesWith();
    lanes.add(items('a b'), 0, 1n);
    const [work] = lanes.take(1);
    lanes.drain();
    expect(all(lanes)).toEqual([]);
    expect(lanes.idle()).toBe(false);
    lanes.complete(work!);
    expect(lanes.idle()).toBe(true);
    expect(lanes.committable(0)).toBe(1n);
  });
});

describe('what may be committed', () => {
  test('the lowest unfinished offset, even when later ones are finished', () => {
    const lanes = lanesWith();
    expect(lanes.committable(0)).toBeNull();
    lanes.add(items('a b c', 10), 0, 1n);
    const [a, b, c] = all(lanes);
    expect(lanes.committable(0)).toBe(10n);
    lanes.complete(b!);
    lanes.complete(c!);
    expect(lanes.committable(0)).toBe(10n);
    lanes.complete(a!);
    expect(lanes.committable(0)).toBe(13n);
  });

  test('past skipped messages, not past unfinished ones', () => {
    const lanes = lanesWith();
    lanes.add(items('a', 5), 0, 1n);
    lanes.skipTo(0, 1n, 9n);
    expect(lanes.committable(0)).toBe(5n);
    lanes.complete(all(lanes)[0]!);
    expect(lanes.committable(0)).toBe(10n);
    lanes.skipTo(0, 1n, 3n);
    lanes.skipTo(0, 2n, 30n);
    expect(lanes.committable(0)).toBe(10n);
  });

  test('completing twice counts once', () => {
    const lanes = lanesWith();
    lanes.add(items('a a'), 0, 1n);
    const [work] = all(lanes);
    expect([lanes.complete(work!), lanes.complete(work!), lanes.release(work!)]).toEqual([true, false, false]);
    expect(lanes.stats()).toMatchObject({ inFlight: 0, buffered: 1 });
  });
});

describe('fetching', () => {
  test('an item that was seen is not added again', () => {
    const lanes = lanesWith();
    lanes.add(items('a b c'), 0, 1n);
    all(lanes).slice(1).forEach((work) => lanes.complete(work));
    expect(lanes.add(items('a b c d'), 0, 1n)).toBe(1);
    expect(offsets(all(lanes))).toEqual([3]);
  });

  test('items of another epoch or partition are not added', () => {
    const lanes = lanesWith();
    expect([lanes.add(items('a'), 0, 2n), lanes.add(items('a', 0, 1), 1, 1n)]).toEqual([0, 0]);
    expect(lanes.idle()).toBe(true);
  });

  test('misuse throws', () => {
    const lanes = lanesWith();
    expect(() => lanes.add([...items('a', 5), ...items('b', 4)], 0, 1n)).toThrow('offset 4 added after 5');
    expect(() => lanes.add(items('a', 9, 3), 0, 1n)).toThrow('partition 3');
    expect(() => lanes.add([{ ...items('a', 9)[0]!, group: 'z' }], 0, 1n)).toThrow('two groups');
    expect(() => createKeyLanes({ maxInFlight: 0, maxBuffered: 1 })).toThrow('maxInFlight');
    expect(() => createKeyLanes({ maxInFlight: 1, maxBuffered: 10, maxWindow: 9 })).toThrow('maxWindow');
  });

  test('pauses at the bound, resumes at half of it', () => {
    const lanes = lanesWith({ maxBuffered: 4 });
    lanes.add(items('a b c'), 0, 1n);
    expect([lanes.shouldPause(0), lanes.shouldResume(0)]).toEqual([false, false]);
    lanes.add(items('d', 3), 0, 1n);
    const works = all(lanes);
    expect([lanes.shouldPause(0), lanes.shouldResume(0)]).toEqual([true, false]);
    works.slice(2).forEach((work) => lanes.complete(work));
    expect([lanes.shouldPause(0), lanes.shouldResume(0)]).toEqual([false, true]);
    expect([lanes.shouldPause(7), lanes.shouldResume(7)]).toEqual([false, false]);
  });

  test('pauses when one stuck item blocks too many offsets from being committed', () => {
    const lanes = lanesWith({ maxBuffered: 4, maxWindow: 8 });
    for (let offset = 0; offset < 8; offset += 1) {
      expect(lanes.shouldPause(0)).toBe(false);
      lanes.add(items(`lane${offset}`, offset), 0, 1n);
      all(lanes).filter(({ item }) => item.offset > 0n).forEach((work) => lanes.complete(work));
    }
    expect([lanes.shouldPause(0), lanes.shouldResume(0)]).toEqual([true, false]);
  });

  test('pauses partitions with more than their share while all together hold too much', () => {
    const lanes = lanesWith({ maxBuffered: 100, maxTotal: 8 });
    lanes.assign(1, 1n);
    lanes.add(items('a b c d e f'), 0, 1n);
    expect([lanes.shouldPause(0), lanes.shouldPause(1)]).toEqual([false, false]);
    lanes.add(items('g h', 0, 1), 1, 1n);
    expect([lanes.shouldPause(0), lanes.shouldPause(1)]).toEqual([true, false]);
    const works = all(lanes).filter(({ item }) => item.partition === 0);
    works.slice(0, 1).forEach((work) => lanes.complete(work));
    expect([lanes.shouldResume(0), lanes.shouldResume(1)]).toEqual([false, true]);
    works.slice(1, 4).forEach((work) => lanes.complete(work));
    expect([lanes.shouldPause(0), lanes.shouldResume(0)]).toEqual([false, true]);
  });
});

import { createKeyLanes, type KeyLanes, type KeyLanesOptions, type LaneItem, type Work } from './index';

const lanesWith = (options: Partial<KeyLanesOptions> = {}): KeyLanes<string> => {
  const lanes = createKeyLanes<string>({ maxInFlight: 100, maxBuffered: 100, ...options });
  lanes.assign(0, 1n);
  return lanes;
};

/** `a b a` are three items of the lanes a, b, a; the group is the first letter; `c+r` is a convoy item on record r, `c+` one without. */
function items(words: string, from = 0, partition = 0): LaneItem<string>[] {
  return words.split(' ').map((word, i) => {
    const [lane, record] = word.split('+') as [string, string | undefined];
    return { partition, offset: BigInt(from + i), lane, group: lane[0]!, value: word, ...(record === undefined ? {} : { convoy: true }), ...(record ? { record } : {}) };
  });
}

const offsets = (works: readonly Work<string>[]) => works.map(({ item }) => Number(item.offset));
const all = (lanes: KeyLanes<string>) => lanes.take(1000);

describe('what may start', () => {
  test('one item of a lane at a time, lanes side by side', () => {
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

  test('groups have their turns, however many lanes one has', () => {
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

  test('nothing of a blocked lane or group, everything again after', () => {
    const lanes = lanesWith();
    lanes.blockLane('a1');
    lanes.add(items('a1 a2 b1 b2'), 0, 1n);
    lanes.blockGroup('b');
    expect(offsets(all(lanes))).toEqual([1]);
    lanes.unblockLane('a1');
    expect(offsets(all(lanes))).toEqual([0]);
    lanes.unblockGroup('b');
    expect(offsets(all(lanes))).toEqual([2, 3]);
  });

  test('a lane blocked while at work goes on when it is unblocked', () => {
    const lanes = lanesWith();
    lanes.add(items('a a'), 0, 1n);
    const [work] = all(lanes);
    lanes.blockLane('a');
    lanes.complete(work!);
    expect(all(lanes)).toEqual([]);
    lanes.unblockLane('a');
    expect(offsets(all(lanes))).toEqual([1]);
  });

  test('nothing once draining, until what is out has settled', () => {
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

describe('convoys', () => {
  test('a run on different records goes together, the rest waits for all of it', () => {
    const lanes = lanesWith();
    lanes.add(items('a+1 a+2 a+3 a+1 a+4'), 0, 1n);
    const convoy = all(lanes);
    expect(offsets(convoy)).toEqual([0, 1, 2]);
    lanes.complete(convoy[0]!);
    lanes.complete(convoy[2]!);
    expect(all(lanes)).toEqual([]);
    lanes.complete(convoy[1]!);
    expect(offsets(all(lanes))).toEqual([3, 4]);
  });

  test.each([
    ['an item without a record goes alone', 'a+1 a+ a+2', [[0], [1], [2]]],
    ['a strict item ends it', 'a+1 a+2 a a+3', [[0, 1], [2], [3]]],
    ['other lanes do not', 'a+1 b+1 a+2', [[0, 2, 1]]],
    ['maxConvoy ends it', 'a+1 a+2 a+3 a+4 a+5', [[0, 1, 2, 3], [4]]],
  ])('%s', (_, words, rounds) => {
    const lanes = lanesWith({ maxConvoy: 4 });
    lanes.add(items(words), 0, 1n);
    for (const round of rounds) {
      const works = all(lanes);
      expect(offsets(works)).toEqual(round);
      works.forEach(lanes.complete);
    }
    expect(lanes.idle()).toBe(true);
  });

  test('one that does not fit is cut', () => {
    const lanes = lanesWith();
    lanes.add(items('a+1 a+2 a+3'), 0, 1n);
    expect(offsets(lanes.take(2))).toEqual([0, 1]);
    expect(lanes.take(2)).toEqual([]);
  });

  test('what is released out of one goes again before anything later', () => {
    const lanes = lanesWith();
    lanes.add(items('a+1 a+2 a+3 a+3 a+5'), 0, 1n);
    const [first, second, third] = all(lanes);
    lanes.release(third!);
    lanes.release(first!);
    expect(all(lanes)).toEqual([]);
    lanes.complete(second!);
    const again = all(lanes);
    expect(offsets(again)).toEqual([0, 2]);
    again.forEach(lanes.complete);
    expect(offsets(all(lanes))).toEqual([3, 4]);
  });

  test('the released rest of one is not joined by later items', () => {
    const lanes = lanesWith();
    lanes.add(items('a+1 a+2 a+3'), 0, 1n);
    const [first, second] = lanes.take(2);
    lanes.release(second!);
    lanes.complete(first!);
    expect(offsets(all(lanes))).toEqual([1]);
  });
});

describe('what may be committed', () => {
  test('the lowest unfinished, whatever finished after it', () => {
    const lanes = lanesWith();
    expect(lanes.committable(0)).toBeNull();
    lanes.add(items('a b c', 10), 0, 1n);
    const [a, b, c] = all(lanes);
    expect(lanes.committable(0)).toBe(10n);
    lanes.complete(b!);
    lanes.complete(c!);
    expect(lanes.committable(0)).toBe(10n);
    expect(lanes.oldestUnfinished(0)?.offset).toBe(10n);
    lanes.complete(a!);
    expect(lanes.committable(0)).toBe(13n);
    expect(lanes.oldestUnfinished(0)).toBeNull();
  });

  test('past what needs no work, not past what does', () => {
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
  test('what was seen is not taken in again', () => {
    const lanes = lanesWith();
    lanes.add(items('a b c'), 0, 1n);
    all(lanes).slice(1).forEach(lanes.complete);
    expect(lanes.add(items('a b c d'), 0, 1n)).toBe(1);
    expect(offsets(all(lanes))).toEqual([3]);
  });

  test('another epoch or partition is not taken in', () => {
    const lanes = lanesWith();
    expect([lanes.add(items('a'), 0, 2n), lanes.add(items('a', 0, 1), 1, 1n)]).toEqual([0, 0]);
    expect(lanes.idle()).toBe(true);
  });

  test('misuse is a bug', () => {
    const lanes = lanesWith();
    expect(() => lanes.add([...items('a', 5), ...items('b', 4)], 0, 1n)).toThrow('offset 4 added after 5');
    expect(() => lanes.add(items('a', 9, 3), 0, 1n)).toThrow('partition 3');
    expect(() => lanes.add([{ ...items('a', 9)[0]!, group: 'z' }], 0, 1n)).toThrow('two groups');
    expect(() => createKeyLanes({ maxInFlight: 0, maxBuffered: 1 })).toThrow('maxInFlight');
    expect(() => createKeyLanes({ maxInFlight: 1, maxBuffered: 10, maxWindow: 9 })).toThrow('maxWindow');
  });

  test('pauses at the bound, goes on at half of it', () => {
    const lanes = lanesWith({ maxBuffered: 4 });
    lanes.add(items('a b c'), 0, 1n);
    expect([lanes.shouldPause(0), lanes.shouldResume(0)]).toEqual([false, false]);
    lanes.add(items('d', 3), 0, 1n);
    const works = all(lanes);
    expect([lanes.shouldPause(0), lanes.shouldResume(0)]).toEqual([true, false]);
    works.slice(2).forEach(lanes.complete);
    expect([lanes.shouldPause(0), lanes.shouldResume(0)]).toEqual([false, true]);
    expect([lanes.shouldPause(7), lanes.shouldResume(7)]).toEqual([false, false]);
  });

  test('pauses when one stuck item keeps too much from being committed', () => {
    const lanes = lanesWith({ maxBuffered: 4, maxWindow: 8 });
    for (let offset = 0; offset < 8; offset += 1) {
      expect(lanes.shouldPause(0)).toBe(false);
      lanes.add(items(`lane${offset}`, offset), 0, 1n);
      all(lanes).filter(({ item }) => item.offset > 0n).forEach(lanes.complete);
    }
    expect([lanes.shouldPause(0), lanes.shouldResume(0)]).toEqual([true, false]);
  });

  test('names the groups that take too much', () => {
    const lanes = lanesWith({ maxPerGroup: 2 });
    lanes.add(items('a a a b b'), 0, 1n);
    expect(lanes.overflow()).toEqual(['a']);
    lanes.complete(all(lanes)[0]!);
    expect(lanes.overflow()).toEqual([]);
  });
});

describe('ownership', () => {
  test('revoked: waiting items are forgotten, those at work no longer count', () => {
    const lanes = lanesWith();
    lanes.add(items('a a b'), 0, 1n);
    const [a] = lanes.take(1);
    expect(lanes.revoke(0).map(({ offset }) => offset)).toEqual([0n]);
    expect(lanes.revoke(0)).toEqual([]);
    expect(all(lanes)).toEqual([]);
    expect(lanes.committable(0)).toBeNull();
    expect(lanes.stats()).toEqual({ inFlight: 1, diverted: 0, orphans: 1, buffered: 0, lanes: 1, groups: 0, partitions: 0 });
    expect(lanes.complete(a!)).toBe(false);
    expect(lanes.stats()).toEqual({ inFlight: 0, diverted: 0, orphans: 0, buffered: 0, lanes: 0, groups: 0, partitions: 0 });
  });

  test.each(['complete', 'release'] as const)('an orphan keeps its lane busy under the next epoch until it settles (%s)', (settle) => {
    const lanes = lanesWith();
    lanes.add(items('a b'), 0, 1n);
    const [a] = lanes.take(1);
    lanes.assign(0, 2n);
    lanes.add(items('a b'), 0, 2n);
    const [b, ...none] = all(lanes);
    expect([b!.item.lane, b!.epoch, none]).toEqual(['b', 2n, []]);
    lanes[settle](a!);
    expect(lanes.committable(0)).toBe(0n);
    expect(offsets(all(lanes))).toEqual([0]);
  });

  test('orphans count as in flight', () => {
    const lanes = lanesWith({ maxInFlight: 1 });
    lanes.add(items('a'), 0, 1n);
    const [a] = all(lanes);
    lanes.assign(0, 2n);
    lanes.add(items('b'), 0, 2n);
    expect(all(lanes)).toEqual([]);
    lanes.complete(a!);
    expect(all(lanes)).toHaveLength(1);
  });

  test('an older or equal epoch changes nothing', () => {
    const lanes = lanesWith();
    lanes.add(items('a b'), 0, 1n);
    lanes.assign(0, 1n);
    lanes.assign(0, 0n);
    expect(offsets(all(lanes))).toEqual([0, 1]);
  });

  test('other partitions go on, with lanes of their own', () => {
    const lanes = lanesWith();
    lanes.assign(1, 5n);
    lanes.add(items('a'), 0, 1n);
    lanes.add(items('a', 7, 1), 1, 5n);
    lanes.revoke(0);
    expect(all(lanes).map(({ item, epoch }) => [item.partition, epoch])).toEqual([[1, 5n]]);
  });
});

describe('moving to the held store', () => {
  test('what waits behind an item goes with it, and the lane waits for the move', () => {
    const lanes = lanesWith({ maxInFlight: 1 });
    lanes.add(items('a a a b'), 0, 1n);
    const [failed] = lanes.take(1);
    const behind = lanes.divertBehind(failed!);
    expect(offsets(behind)).toEqual([1, 2]);
    lanes.add(items('a', 4), 0, 1n);
    [failed!, ...behind.slice(0, 1)].forEach(lanes.complete);
    expect(offsets(all(lanes))).toEqual([3]);
    expect(lanes.committable(0)).toBe(2n);
    lanes.complete(behind[1]!);
    expect(lanes.divertBehind(failed!)).toEqual([]);
    expect(lanes.stats()).toMatchObject({ diverted: 0, buffered: 1 });
  });

  test('released mates of a convoy go with a failed one', () => {
    const lanes = lanesWith();
    lanes.add(items('a+1 a+2 a+3 a+3'), 0, 1n);
    const [first, second, third] = all(lanes);
    lanes.release(first!);
    lanes.release(third!);
    expect(offsets(lanes.divertBehind(second!))).toEqual([0, 2, 3]);
  });

  test('a group gives its idle lanes, also when blocked', () => {
    const lanes = lanesWith();
    lanes.add(items('a1 a1 a2 a3 a3 b1'), 0, 1n);
    lanes.take(1);
    lanes.blockGroup('a');
    lanes.blockLane('a2');
    expect(offsets(lanes.divertGroup('a', 1))).toEqual([3]);
    expect(lanes.divertGroup('a', 9)).toEqual([]);
    expect(lanes.divertGroup('nobody', 9)).toEqual([]);
    expect(offsets(all(lanes))).toEqual([5]);
  });

  test('a held event may run when nothing before it can still come, and nothing is out', () => {
    const lanes = lanesWith();
    expect(lanes.isClearBefore(0, 'a', 3n)).toBe(false);
    lanes.skipTo(0, 1n, 1n);
    expect([lanes.isClearBefore(0, 'a', 2n), lanes.isClearBefore(0, 'a', 3n)]).toEqual([true, false]);
    lanes.add(items('a b a', 2), 0, 1n);
    expect([lanes.isClearBefore(0, 'a', 1n), lanes.isClearBefore(0, 'a', 3n), lanes.isClearBefore(0, 'z', 3n)]).toEqual([true, false, true]);
    const [work] = lanes.take(1);
    expect(lanes.isClearBefore(0, 'a', 1n)).toBe(false);
    lanes.complete(work!);
    expect(lanes.isClearBefore(0, 'a', 3n)).toBe(true);
    lanes.revoke(0);
    expect(lanes.isClearBefore(0, 'a', 3n)).toBe(false);
  });
});

test('nothing is remembered of what is done, over many keys and owners', () => {
  const lanes = lanesWith();
  for (let round = 0; round < 50; round += 1) {
    const epoch = BigInt(round + 1);
    lanes.assign(0, epoch);
    lanes.add(items(Array.from({ length: 40 }, (_, i) => `${'abc'[i % 3]}${round}-${i}`).join(' ')), 0, epoch);
    lanes.blockGroup('b');
    const works = [...lanes.take(20), ...lanes.divertGroup('b', 5)];
    if (round % 2 === 1) lanes.revoke(0);
    works.forEach(lanes.complete);
    lanes.unblockGroup('b');
  }
  lanes.revoke(0);
  expect(lanes.stats()).toEqual({ inFlight: 0, diverted: 0, orphans: 0, buffered: 0, lanes: 0, groups: 0, partitions: 0 });
  expect(lanes.overflow()).toEqual([]);
});

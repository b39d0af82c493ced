import { all, items, lanesWith, offsets } from './testing/lanes-with';

describe('ownership', () => {
  test('after a revocation waiting items are dropped, and running items no longer count for the offset', () => {
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

  test.each(['complete', 'release'] as const)(
    'an orphan keeps its lane busy under the next epoch until it settles (%s)',
    (settle) => {
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
    },
  );

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

  test('other partitions continue, with their own lanes', () => {
    const lanes = lanesWith();
    lanes.assign(1, 5n);
    lanes.add(items('a'), 0, 1n);
    lanes.add(items('a', 7, 1), 1, 5n);
    lanes.revoke(0);
    expect(all(lanes).map(({ item, epoch }) => [item.partition, epoch])).toEqual([[1, 5n]]);
  });
});

describe('moving to the held store', () => {
  test('the items behind a moved item are moved too, and the lane waits for the move', () => {
    const lanes = lanesWith({ maxInFlight: 1 });
    lanes.add(items('a a a b'), 0, 1n);
    const [failed] = lanes.take(1);
    const behind = lanes.divertBehind(failed!);
    expect(offsets(behind)).toEqual([1, 2]);
    lanes.add(items('a', 4), 0, 1n);
    [failed!, ...behind.slice(0, 1)].forEach((work) => lanes.complete(work));
    expect(offsets(all(lanes))).toEqual([3]);
    expect(lanes.committable(0)).toBe(2n);
    lanes.complete(behind[1]!);
    expect(lanes.divertBehind(failed!)).toEqual([]);
    expect(lanes.stats()).toMatchObject({ diverted: 0, buffered: 1 });
  });

  test('released items of a convoy are moved together with the failed one', () => {
    const lanes = lanesWith();
    lanes.add(items('a+1 a+2 a+3 a+3'), 0, 1n);
    const [first, second, third] = all(lanes);
    lanes.release(first!);
    lanes.release(third!);
    expect(offsets(lanes.divertBehind(second!))).toEqual([0, 2, 3]);
  });

  test('what waits of a group from an offset on can be moved, also when it is blocked, and behind what is in flight', () => {
    const lanes = lanesWith();
    lanes.add(items('a1 a1 a2 a3 a3 b1 a1'), 0, 1n);
    const [head] = lanes.take(1);
    lanes.blockGroup('a');
    const moved = lanes.divertGroup(0, 'a', 3n);
    expect(offsets(moved)).toEqual([3, 4, 6]);
    expect(
      [lanes.divertGroup(0, 'a', 3n), lanes.divertGroup(0, 'nobody', 0n), lanes.divertGroup(1, 'a', 0n)],
    ).toEqual([[], [], []]);
    expect(offsets(all(lanes))).toEqual([5]);
    lanes.unblockGroup('a');
    expect(offsets(all(lanes))).toEqual([2]);
    lanes.complete(head!);
    expect(offsets(all(lanes))).toEqual([]);
    moved.forEach((work) => lanes.complete(work));
    expect(offsets(all(lanes))).toEqual([1]);
    expect(lanes.stats()).toMatchObject({ diverted: 0, inFlight: 3, lanes: 3 });
  });

  test('what could not be moved waits again at its place, behind what stayed', () => {
    const lanes = lanesWith();
    lanes.add(items('a+1 a+2 a+3 a+4 a+5'), 0, 1n);
    const moved = lanes.divertGroup(0, 'a', 2n);
    expect(offsets(moved)).toEqual([2, 3, 4]);
    lanes.complete(moved[1]!);
    [moved[2]!, moved[0]!].forEach((work) => lanes.release(work));
    expect(offsets(all(lanes))).toEqual([0, 1, 2, 4]);
  });

  test('nothing is moved while draining', () => {
    const lanes = lanesWith();
    lanes.add(items('a a'), 0, 1n);
    lanes.drain();
    expect(lanes.divertGroup(0, 'a', 0n)).toEqual([]);
  });

  test('a held event may run when nothing before it can still arrive, and nothing of its lane is handed out', () => {
    const lanes = lanesWith();
    expect(lanes.isClearBefore(0, 'a', 3n)).toBe(false);
    lanes.skipTo(0, 1n, 1n);
    expect([lanes.isClearBefore(0, 'a', 2n), lanes.isClearBefore(0, 'a', 3n)]).toEqual([true, false]);
    lanes.add(items('a b a', 2), 0, 1n);
    expect([lanes.isClearBefore(0, 'a', 1n), lanes.isClearBefore(0, 'a', 3n), lanes.isClearBefore(0, 'z', 3n)]).toEqual([
      true,
      false,
      true,
    ]);
    const [work] = lanes.take(1);
    expect(lanes.isClearBefore(0, 'a', 1n)).toBe(false);
    lanes.complete(work!);
    expect(lanes.isClearBefore(0, 'a', 3n)).toBe(true);
    lanes.revoke(0);
    expect(lanes.isClearBefore(0, 'a', 3n)).toBe(false);
  });
});

test('finished items take no memory, over many keys and owners', () => {
  const lanes = lanesWith();
  for (let round = 0; round < 50; round += 1) {
    const epoch = BigInt(round + 1);
    lanes.assign(0, epoch);
    lanes.add(items(Array.from({ length: 40 }, (_, i) => `${'abc'[i % 3]}${round}-${i}`).join(' ')), 0, epoch);
    lanes.blockGroup('b');
    const works = [...lanes.take(20), ...lanes.divertGroup(0, 'b', 5n)];
    if (round % 2 === 1) lanes.revoke(0);
    works.forEach((work) => lanes.complete(work));
    lanes.unblockGroup('b');
  }
  lanes.revoke(0);
  expect(lanes.stats()).toEqual({ inFlight: 0, diverted: 0, orphans: 0, buffered: 0, lanes: 0, groups: 0, partitions: 0 });
});

test('a group that became empty between its turns is dropped at its turn', () => {
  const lanes = lanesWith();
  lanes.add(items('a b'), 0, 1n);
  lanes.blockGroup('b');
  [...lanes.divertGroup(0, 'a', 0n), ...lanes.divertGroup(0, 'b', 0n)].forEach((work) => lanes.complete(work));
  expect(all(lanes)).toEqual([]);
  expect(lanes.stats().groups).toBe(0);
});

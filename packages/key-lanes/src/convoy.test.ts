import { all, items, lanesWith, offsets } from './testing/lanes-with';

describe('convoys', () => {
  test('neighbours on different records start together, the rest waits for all of them', () => {
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
      works.forEach((work) => lanes.complete(work));
    }
    expect(lanes.idle()).toBe(true);
  });

  test.each([
    ['two may need the same record', [[], ['x']], [[], ['x']], 2],
    ['one may not write what another needs', [[], ['x']], [['x'], []], 1],
    ['one may not need what another writes', [['x'], []], [['y'], ['x']], 1],
    ['one may write and need its own', [['x'], ['x']], [['y'], ['y']], 2],
    ['one shared record among several is enough to separate them', [['x', 'y'], []], [['y', 'z'], []], 1],
  ])('%s', (_, ...[[firstWrites, firstReads], [thenWrites, thenReads], together]) => {
    const lanes = lanesWith();
    const [first, then] = items('a+ a+');
    lanes.add(
      [
        { ...first!, touches: { writes: firstWrites!, reads: firstReads! } },
        { ...then!, touches: { writes: thenWrites!, reads: thenReads! } },
      ],
      0,
      1n,
    );
    expect(all(lanes)).toHaveLength(together);
  });

  test('a convoy that does not fit is cut', () => {
    const lanes = lanesWith();
    lanes.add(items('a+1 a+2 a+3'), 0, 1n);
    expect(offsets(lanes.take(2))).toEqual([0, 1]);
    expect(lanes.take(2)).toEqual([]);
  });

  test('an item that is released from a convoy starts again before anything later', () => {
    const lanes = lanesWith();
    lanes.add(items('a+1 a+2 a+3 a+3 a+5'), 0, 1n);
    const [first, second, third] = all(lanes);
    lanes.release(third!);
    lanes.release(first!);
    expect(all(lanes)).toEqual([]);
    lanes.complete(second!);
    const again = all(lanes);
    expect(offsets(again)).toEqual([0, 2]);
    again.forEach((work) => lanes.complete(work));
    expect(offsets(all(lanes))).toEqual([3, 4]);
  });

  test('later items do not join the released rest of a convoy', () => {
    const lanes = lanesWith();
    lanes.add(items('a+1 a+2 a+3'), 0, 1n);
    const [first, second] = lanes.take(2);
    lanes.release(second!);
    lanes.complete(first!);
    expect(offsets(all(lanes))).toEqual([1]);
  });
});

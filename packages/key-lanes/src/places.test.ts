import { all, items, lanesWith, offsets } from './testing/lanes-with';

/** Groups a and b are of one pool, c is of another, d of none. */
const poolOf = (group: string): string | null => ({ a: 'one', b: 'one', c: 'other' })[group] ?? null;
const many = (group: string, count: number, from = 0) =>
  items(Array.from({ length: count }, (_, n) => `${group}${n}`).join(' '), from);
const shared = (maxInFlight: number) => lanesWith({ maxInFlight, maxBuffered: 1_000, poolOf });

describe('places in flight', () => {
  test('one group takes half of them, and the next half of those that are left', () => {
    const lanes = shared(16);
    lanes.add(many('a', 30), 0, 1n);
    expect(all(lanes)).toHaveLength(8);
    expect(all(lanes)).toEqual([]);
    lanes.add(many('c', 30, 30), 0, 1n);
    expect(all(lanes)).toHaveLength(4);
    lanes.add(many('d', 30, 60), 0, 1n);
    expect(all(lanes)).toHaveLength(2);
  });

  test('groups of one pool share what the pool may take', () => {
    const lanes = shared(16);
    lanes.add([...many('a', 30), ...many('b', 30, 30)], 0, 1n);
    const works = all(lanes);
    expect(works).toHaveLength(8);
    expect(new Set(works.map(({ item }) => item.group))).toEqual(new Set(['a', 'b']));
  });

  test('a group takes places again when some become free', () => {
    const lanes = shared(8);
    lanes.add([...many('a', 20), ...many('c', 20, 20)], 0, 1n);
    const works = all(lanes);
    works.filter(({ item }) => item.group === 'c').forEach((work) => lanes.complete(work));
    const [first] = works.filter(({ item }) => item.group === 'a');
    lanes.complete(first!);
    expect(all(lanes).some(({ item }) => item.group === 'a')).toBe(true);
  });

  test('a convoy is cut at what its group may take', () => {
    const lanes = shared(8);
    lanes.add(items('a+1 a+2 a+3 a+4 a+5 a+6'), 0, 1n);
    expect(offsets(all(lanes))).toEqual([0, 1, 2, 3]);
  });

  test('one place is enough for every group in turn', () => {
    const lanes = shared(1);
    lanes.add(items('a c a c'), 0, 1n);
    const seen: number[] = [];
    for (let works = all(lanes); works.length > 0; works = all(lanes)) {
      seen.push(...offsets(works));
      works.forEach((work) => lanes.complete(work));
    }
    expect(seen).toEqual([0, 1, 2, 3]);
  });

  test('a place counts for the pool that its group was in when it was taken', () => {
    let pool = 'before';
    const lanes = lanesWith({ maxInFlight: 8, maxBuffered: 1_000, poolOf: () => pool });
    lanes.add(many('a', 20), 0, 1n);
    const works = all(lanes);
    pool = 'after';
    works.forEach((work) => lanes.complete(work));
    pool = 'before';
    expect(all(lanes)).toHaveLength(4);
  });

  test('orphans keep the places of their group', () => {
    const lanes = shared(8);
    lanes.add(many('a', 20), 0, 1n);
    const works = all(lanes);
    lanes.revoke(0);
    lanes.assign(0, 2n);
    lanes.add(many('a', 20, 20), 0, 2n);
    expect(all(lanes)).toEqual([]);
    works.forEach((work) => lanes.complete(work));
    expect(all(lanes)).toHaveLength(4);
  });
});

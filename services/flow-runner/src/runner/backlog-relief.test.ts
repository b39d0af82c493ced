import { createKeyLanes, type KeyLanes, type LaneItem, type Work } from '@sluice/key-lanes';
import { connectorScope, monotonicClock, storeClock } from '@sluice/ports';
import type { HeldScope } from '../held/held-scope';
import type { Unit } from '../units/unit';
import { BacklogRelief } from './backlog-relief';
import type { OwnedPartition } from '../intake/owned-partition';

const bytesEach = 1_000;
const item = (offset: number, group: string): LaneItem<Unit> =>
  ({ partition: 3, offset: BigInt(offset), lane: `${group}:1`, group, value: {} as Unit, bytes: bytesEach });

/** The relief of one partition with lanes of their own, and what it held. */
function setup(options: { maxPerConnector?: number; eventMemoryBytes?: number; scope?: Partial<HeldScope> } = {}) {
  const { maxPerConnector = 100, eventMemoryBytes = 1e9, scope } = options;
  let at = 0;
  const lanes: KeyLanes<Unit> = createKeyLanes({ maxInFlight: 10, maxBuffered: 100 });
  lanes.assign(3, 1n);
  const held: { offset: number; reason: string; dueAt: number | null }[] = [];
  const inHand = (): number => [...lanes.unfinishedByGroup(3).values()].reduce((sum, items) => sum + items.length, 0);
  const entry = { partition: 3, pausedAt: null, pausedWith: 0, unfinished: { size: inHand } } as OwnedPartition;
  const relief = new BacklogRelief({
    topic: 't', lanes,
    holder: { all: () => [entry] },
    scopes: { get: (_topic, _partition, { kind }) => (scope && kind === 'connector' ? (scope as HeldScope) : undefined) },
    runs: {
      holdOne: (work: Work<Unit>, { reason, dueAt, scope: into }) => {
        expect(into).toEqual(connectorScope(work.item.group));
        held.push({ offset: Number(work.item.offset), reason, dueAt });
        lanes.complete(work);
      },
    },
    options: { maxPerConnector, eventMemoryBytes, topics: ['t'] as unknown as never },
    storeNow: storeClock(() => 50_000), monotonicNow: monotonicClock(() => at),
  });
  return {
    lanes, entry, relief, held,
    add: (groups: string, from = 0) => lanes.add([...groups].map((group, n) => item(from + n, group)), 3, 1n),
    pass: (ms: number) => { at += ms; relief.look(); },
    offsets: () => held.map(({ offset }) => offset),
  };
}

describe('relief of a full partition', () => {
  it('holds the newer half of a backlog of which nothing ends for half a second', () => {
    const { add, relief, entry, pass, offsets, held } = setup();
    add('a'.repeat(10));
    relief.paused(entry);
    pass(499);
    expect(offsets()).toEqual([]);
    pass(1);
    expect(offsets()).toEqual([5, 6, 7, 8, 9]);
    expect(held[0]).toEqual({ offset: 5, reason: 'backlog', dueAt: 51_000 });
  });

  it('sees also later that nothing ends any more', () => {
    const { add, relief, entry, pass, offsets, lanes } = setup();
    add('a'.repeat(10));
    relief.paused(entry);
    lanes.complete(lanes.take(1)[0]!);
    pass(500);
    expect(offsets()).toEqual([]);
    pass(500);
    expect(offsets()).toHaveLength(5);
  });

  it('goes on in longer steps while the partition stays paused, and ends with it', () => {
    const { add, relief, entry, pass, offsets } = setup();
    add('a'.repeat(8));
    relief.paused(entry);
    pass(500);
    for (let n = 0; n < 4; n += 1) pass(700);
    pass(199);
    expect(offsets()).toHaveLength(4);
    pass(1);
    expect(offsets()).toHaveLength(6);
    entry.pausedAt = null;
    pass(9_000);
    expect(offsets()).toHaveLength(6);
  });

  it('leaves a backlog alone that is worked off fast enough', () => {
    const { add, relief, entry, pass, offsets, lanes } = setup();
    add('a'.repeat(100));
    relief.paused(entry);
    /** In three seconds, evenly. */
    const afterFinishing = (count: number): number => {
      const eachMs = Math.floor(3_000 / count);
      for (let n = 0; n < count; n += 1) {
        lanes.complete(lanes.take(1)[0]!);
        pass(eachMs);
      }
      pass(3_000 - count * eachMs);
      return offsets().length;
    };
    expect(afterFinishing(16)).toBe(0);
    expect(afterFinishing(13)).toBe(0);
    expect(afterFinishing(10)).toBeGreaterThan(0);
  });

  it('holds behind an item in flight, and never that item', () => {
    const { add, relief, entry, pass, offsets, lanes } = setup();
    add('aaaa');
    lanes.take(1);
    relief.paused(entry);
    for (let n = 0; n < 5; n += 1) pass(3_000);
    expect(offsets()).toEqual([2, 3, 1]);
  });

  it('takes from those who have more than their part', () => {
    const { add, relief, entry, pass, offsets } = setup();
    add('aaaaaaaabb');
    relief.paused(entry);
    pass(3_000);
    // Half of the memory of ten, in two parts: two of the first connector stay, and both of the second.
    expect(offsets()).toEqual([2, 3, 4, 5, 6, 7]);
  });

  describe('with several connectors in the partition', () => {
    /** What was held half a second after the pause, of which so many events ended in that time. */
    const heldAfter = (groups: string, finished: number, maxPerConnector = 4) => {
      const lab = setup({ maxPerConnector });
      const finish = (count: number): void => {
        for (let n = 0; n < count; n += 1) lab.lanes.complete(lab.lanes.take(1)[0]!);
      };
      lab.add(groups);
      lab.relief.paused(lab.entry);
      finish(finished);
      expect(lab.offsets()).toEqual([]);
      lab.pass(500);
      return { ...lab, finish };
    };

    it('holds what is above the bound of a connector when an eighth of the events would take longer than a second', () => {
      expect(heldAfter('a'.repeat(40), 2).offsets()).toEqual([]);
      const { offsets } = heldAfter(`bbbb${'a'.repeat(36)}`, 2);
      expect(offsets()[0]).toBe(9);
      expect(offsets()).toHaveLength(31);
    });

    it('leaves what is worked off faster than that in memory', () => {
      expect(heldAfter(`bbbb${'a'.repeat(36)}`, 3).offsets()).toEqual([]);
    });

    it('looks at the pace of the next three seconds after it', () => {
      const { pass, finish, offsets } = heldAfter(`bbbbbbbb${'a'.repeat(36)}`, 2, 30);
      const first = offsets().length;
      expect(first).toBeGreaterThan(0);
      for (let n = 0; n < 2; n += 1) {
        finish(1);
        pass(1_000);
      }
      expect(offsets()).toHaveLength(first);
      finish(1);
      pass(1_000);
      expect(offsets().length).toBeGreaterThan(first);
    });
  });

  it('counts the memory of events, and leaves one', () => {
    // One connector may use 3/64 of the memory for events: three of them.
    const { add, relief, entry, pass, offsets } = setup({ eventMemoryBytes: (3.5 * bytesEach * 64) / 3 });
    add('a'.repeat(20));
    relief.paused(entry);
    pass(3_000);
    expect(offsets()[0]).toBe(3);
    const tight = setup({ eventMemoryBytes: 64 });
    tight.add('aa');
    tight.relief.paused(tight.entry);
    tight.pass(3_000);
    expect(tight.offsets()).toEqual([1]);
  });

  it('lets what is fetched join a held scope of its connector, also behind an item in flight', () => {
    const { add, relief, held, lanes } = setup({ scope: { headOffset: 2n, reason: 'portal_unavailable' } });
    add('aaabb');
    lanes.take(1);
    relief.joinHeld(3, new Set(['a']));
    expect(held).toEqual([{ offset: 2, reason: 'portal_unavailable', dueAt: null }]);
  });

  it('joins nothing where no scope is held', () => {
    const { add, relief, held } = setup();
    add('aaa');
    relief.joinHeld(3, new Set(['a']));
    expect(held).toEqual([]);
  });
});

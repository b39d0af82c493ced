import fc from 'fast-check';
import { createKeyLanes, type LaneItem, type Work } from './index';

/** The same rules in the simplest form: one list that is searched every time. */
interface Known {
  readonly item: LaneItem<null>;
  state: 'waits' | 'out' | 'finished';
}

type Command =
  | { do: 'add'; keys: { lane: number; writes: number[]; reads: number[]; convoy: boolean; gap: number }[] }
  | { do: 'take'; max: number }
  | { do: 'complete' | 'release'; which: number }
  | { do: 'blockGroup' | 'unblockGroup'; group: number }
  | { do: 'divert'; which: number }
  | { do: 'divertGroup'; group: number; from: number }
  | { do: 'handOver' };

const key = fc.record({
  lane: fc.nat(5),
  writes: fc.uniqueArray(fc.nat(4), { maxLength: 2 }),
  reads: fc.uniqueArray(fc.nat(4), { maxLength: 1 }),
  convoy: fc.boolean(),
  gap: fc.nat(2),
});
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), keys: fc.array(key, { minLength: 1, maxLength: 8 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const), max: fc.nat(6) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('complete' as const, 'complete' as const, 'release' as const),
      which: fc.nat(20),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('blockGroup' as const, 'unblockGroup' as const), group: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('divert' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('divertGroup' as const), group: fc.nat(1), from: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('handOver' as const) }) },
);

function touching(writes: number[], reads: number[]): Pick<LaneItem<null>, 'touches'> {
  if (writes.length === 0) return {};
  return { touches: { writes: writes.map((n) => `r${n}`), reads: reads.map((n) => `r${n}`) } };
}

function collide(a: LaneItem<null>, b: LaneItem<null>): boolean {
  const [one, other] = [a.touches!, b.touches!];
  return (
    one.writes.some((r) => other.writes.includes(r) || other.reads.includes(r)) || other.writes.some((r) => one.reads.includes(r))
  );
}

const IN_FLIGHT = 7;
const CONVOY = 3;

function check(commands: Command[]): void {
  const lanes = createKeyLanes<null>({ maxInFlight: IN_FLIGHT, maxBuffered: 10, maxConvoy: CONVOY });
  let epoch = 1n;
  let next = 0n;
  let known: Known[] = [];
  let orphanLanes: string[] = [];
  const works: { work: Work<null>; diverted: boolean }[] = [];
  const blockedGroups = new Set<string>();
  lanes.assign(0, epoch);

  const find = (work: Work<null>) => known.find(({ item }) => work.epoch === epoch && item === work.item);
  const ofLane = (lane: string) => known.filter(({ item, state }) => item.lane === lane && state !== 'finished');
  const isBusy = (lane: string) => orphanLanes.includes(lane) || ofLane(lane).some(({ state }) => state === 'out');
  const inFlight = () => works.filter(({ diverted }) => !diverted).length;
  const mayStart = ({ item, state }: Known) =>
    state === 'waits' && !isBusy(item.lane) && ofLane(item.lane)[0]!.item === item && !blockedGroups.has(item.group);

  function took(taken: Work<null>[]): void {
    const byLane = new Map<string, LaneItem<null>[]>();
    for (const { item } of taken) byLane.set(item.lane, [...(byLane.get(item.lane) ?? []), item]);
    for (const run of byLane.values()) {
      const [head] = run;
      expect(mayStart(known.find(({ item }) => item === head)!)).toBe(true);
      expect(run).toEqual(ofLane(head!.lane).slice(0, run.length).map(({ item }) => item));
      if (run.length === 1) continue;
      expect(run.every((item) => item.convoy && item.touches !== undefined)).toBe(true);
      expect(run.some((item, i) => run.slice(0, i).some((other) => collide(item, other)))).toBe(false);
      expect(run.length).toBeLessThanOrEqual(CONVOY);
    }
    handedOut(taken, false);
  }

  function handedOut(taken: Work<null>[], diverted: boolean): void {
    for (const work of taken) {
      const found = find(work)!;
      expect(found.state).toBe('waits');
      found.state = 'out';
      works.push({ work, diverted });
    }
  }

  function run(step: Command): void {
    switch (step.do) {
      case 'add': {
        const items = step.keys.map(({ lane, writes, reads, convoy, gap }): LaneItem<null> => {
          const offset = next + BigInt(gap);
          next = offset + 1n;
          return {
            partition: 0,
            offset,
            lane: `l${lane}`,
            group: `g${lane % 2}`,
            value: null,
            convoy,
            ...touching(writes, reads),
          };
        });
        expect(lanes.add(items, 0, epoch - 1n)).toBe(0);
        expect(lanes.add(items, 0, epoch)).toBe(items.length);
        expect(lanes.add(items, 0, epoch)).toBe(0);
        known.push(...items.map((item): Known => ({ item, state: 'waits' })));
        return;
      }
      case 'take': {
        const taken = lanes.take(step.max);
        expect(taken.length).toBeLessThanOrEqual(step.max);
        took(taken);
        expect(inFlight()).toBeLessThanOrEqual(IN_FLIGHT);
        if (taken.length < step.max && inFlight() < IN_FLIGHT) expect(known.filter(mayStart)).toEqual([]);
        return;
      }
      case 'complete':
      case 'release': {
        const [entry] = works.splice(step.which % Math.max(works.length, 1), 1);
        if (entry === undefined) return;
        const found = find(entry.work);
        expect(lanes[step.do](entry.work)).toBe(found !== undefined);
        expect(lanes[step.do](entry.work)).toBe(false);
        if (found) found.state = step.do === 'complete' ? 'finished' : 'waits';
        else orphanLanes.splice(orphanLanes.indexOf(entry.work.item.lane), 1);
        return;
      }
      case 'blockGroup':
        blockedGroups.add(`g${step.group}`);
        return lanes.blockGroup(`g${step.group}`);
      case 'unblockGroup':
        blockedGroups.delete(`g${step.group}`);
        return lanes.unblockGroup(`g${step.group}`);
      case 'divert': {
        const entry = works[step.which % Math.max(works.length, 1)];
        if (entry === undefined) return;
        const behind = find(entry.work) ? ofLane(entry.work.item.lane).filter(({ state }) => state === 'waits') : [];
        const diverted = lanes.divertBehind(entry.work);
        expect(diverted.map(({ item }) => item)).toEqual(behind.map(({ item }) => item));
        return handedOut(diverted, true);
      }
      case 'divertGroup': {
        const group = `g${step.group}`;
        const open = known.filter(({ item, state }) => state !== 'finished' && item.group === group);
        const from = open[step.from]?.item.offset ?? 0n;
        const waiting = open.filter(({ item, state }) => state === 'waits' && item.offset >= from);
        const diverted = lanes.divertGroup(0, group, from);
        expect(diverted.map(({ item }) => item)).toEqual(waiting.map(({ item }) => item));
        return handedOut(diverted, true);
      }
      case 'handOver': {
        orphanLanes = works.map(({ work }) => work.item.lane);
        const out = known.filter(({ state }) => state === 'out').map(({ item }) => item);
        expect(lanes.revoke(0)).toEqual(out);
        known = [];
        lanes.assign(0, (epoch += 1n));
        return;
      }
    }
  }

  for (const step of commands) {
    run(step);
    const open = known.filter(({ state }) => state !== 'finished');
    const waiting = known.filter(({ state }) => state === 'waits');
    const expected = open[0]?.item.offset ?? (known.length > 0 ? next : null);
    expect(lanes.committable(0)).toBe(expected);
    expect(lanes.shouldPause(0)).toBe(open.length >= 10 || (open.length > 0 && known.length - known.indexOf(open[0]!) >= 100));
    for (const group of ['g0', 'g1'])
      expect(lanes.unfinishedOfGroup(0, group)).toEqual(open.filter(({ item }) => item.group === group).map(({ item }) => item));
    expect(lanes.idle()).toBe(works.length === 0 && waiting.length === 0);
    expect(lanes.stats()).toMatchObject({
      inFlight: inFlight(), diverted: works.length - inFlight(), buffered: waiting.length,
      lanes: new Set([...open.map(({ item }) => item.lane), ...orphanLanes]).size,
    });
  }
}

test('behaves like a plain list', () => {
  fc.assert(fc.property(fc.array(command, { minLength: 1, maxLength: 60, size: 'max' }), check), { numRuns: 600 });
});

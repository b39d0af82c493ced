import { encodeEnvelope, type EventEnvelope } from '@sluice/contracts';
import { silentLogger, type PartitionLease, type ReceivedMessage } from '@sluice/ports';
import { aRow, aSettlement, createMemoryRunStore } from '@sluice/ports/testing';
import { crashWatchOn } from '../test-support/crash-watches';
import { testEnvelope, testUnit } from '../test-support/units';
import { classOf, type Unit } from '../units/unit';
import { createUnfinishedUnits } from './unfinished-units';
import { intake, type IntakeDeps } from './partition-intake';

const ref = { topic: 'events.inbound', partition: 3 };

/** One partition's intake on a store in memory. Events are named by the day of their id: `D1` knows `D0` as an alias. */
function lab(known: (units: readonly Unit[]) => void = () => undefined) {
  const store = createMemoryRunStore();
  const deps: IntakeDeps = {
    store, logger: silentLogger, heldWindow: { know: (_lease, units) => Promise.resolve(known(units)) },
    directory: { atLeast: () => undefined, ensure: () => Promise.resolve(undefined) } as unknown as IntakeDeps['directory'],
    reader: { revision: () => Promise.resolve(null) },
    configs: {} as IntakeDeps['configs'],
    crashWatch: crashWatchOn(store.crashWatch),
    quarantine: () => Promise.reject(new Error('nothing is quarantined')),
  };
  const unfinished = createUnfinishedUnits();
  let offset = 0n;
  let units: Unit[] = [];
  /** Event ids of the units that were taken in, in order. */
  const fetch = async (...events: Partial<EventEnvelope>[]): Promise<string[]> => {
    const messages = events.map((event): ReceivedMessage => ({
      partition: 3,
      offset: (offset += 1n),
      key: 'c',
      timestamp: 0,
      value: encodeEnvelope(testEnvelope(event)),
    }));
    units = (await intake(deps, { ...ref, epoch: 1n }, messages, unfinished)).map(({ value }) => value);
    return units.map(({ key }) => key.eventId);
  };
  const own = async (): Promise<PartitionLease> => {
    const taken = await store.ownership.acquire(ref, { owner: 'one', leaseMs: 60_000, graceMs: 0 });
    if (!taken.acquired) throw new Error('not free');
    return { ...ref, epoch: taken.epoch };
  };
  return { store, unfinished, fetch, own, last: () => units };
}

const day0 = { lane: 'c', event_id: 'D0', aliases: ['D-1'] };
const day1 = { event_id: 'D1', aliases: ['D0'] };
/** Accepted shortly before midnight: an acceptor whose clock is ahead may have accepted it under the next day's id. */
const late0 = { event_id: 'D0', aliases: ['D-1', 'D1'] };
const newer = { event_id: 'newer' };

describe('the intake of a partition', () => {
  it.each([
    ['under the id of the day before', day0, day1, 'D0'],
    ['under the id of the next day', day1, late0, 'D1'],
    ['under the same id', day0, day0, 'D0'],
  ])('drops a repeat of an event that is in hand %s, in one fetch and in a later one', async (_, first, repeat, kept) => {
    const { fetch } = lab();
    expect(await fetch(first, newer, repeat)).toEqual([kept, 'newer']);
    expect(await fetch(repeat, { event_id: 'next' })).toEqual(['next']);
  });

  it('takes an event again once it is not in hand any more and nothing was stored of it', async () => {
    const { unfinished, fetch } = lab();
    await fetch(day0);
    unfinished.remove(testUnit(day0));
    expect(await fetch(day1)).toEqual(['D1']);
  });

  it('lets what is not live have the class of the live events of its lane, while they are in hand', async () => {
    const { unfinished, fetch, last } = lab();
    await fetch({ event_id: 'row', kind: 'import', lane: 'c:deal:1' }, { event_id: 'other', kind: 'replay', lane: 'c:deal:2' });
    const [row, other] = last();
    const live = { event_id: 'live', lane: 'c:deal:1' };
    await fetch({ event_id: 'row 2', kind: 'import', lane: 'c:deal:1' });
    expect(classOf(row!)).toBe('import');
    await fetch(live);
    expect([row!, other!].map(classOf)).toEqual(['live', 'replay']);
    unfinished.remove(testUnit(live));
    expect(classOf(row!)).toBe('import');
  });

  it('distinguishes records of one event, its runs, and two events with the same neighbouring day', async () => {
    const { unfinished, fetch } = lab();
    expect(
      await fetch(late0, { ...day1, entity_index: 1 }, { ...day1, run: 'replay-1' }, { event_id: 'D2', aliases: ['D1'] }),
    ).toEqual(['D0', 'D1', 'D1', 'D2']);
    unfinished.remove(testUnit({ event_id: 'D2', aliases: ['D1'] }));
    expect(await fetch({ event_id: 'D1' })).toEqual([]);
  });

  it('drops an event that is finished or held under one of its other ids, and does not count it as in hand', async () => {
    const { store, fetch, own } = lab();
    const lease = await own();
    const unit = { eventId: 'D0', entityIndex: 0, run: 'first' };
    await store.settle([aSettlement(lease, { unit, verdict: { kind: 'rows', rows: [aRow(unit)] } })]);
    expect(await fetch(day1, newer)).toEqual(['newer']);
    expect(await fetch({ event_id: 'D1' })).toEqual(['D1']);
  });

  it('counts nothing of a failed fetch as in hand', async () => {
    const { store, fetch } = lab();
    store.setDown(true);
    await expect(fetch(day0)).rejects.toThrow();
    store.setDown(false);
    expect(await fetch(day1)).toEqual(['D1']);
  });

  it('loads the held scopes of the lanes before it returns units, and has the lanes in hand by then', async () => {
    const seen: string[] = [];
    const { unfinished, fetch } = lab((units) =>
      seen.push(...units.map(({ envelope: { lane } }) => `${lane} ${unfinished.hasLane(lane)}`)),
    );
    await fetch({ event_id: 'one', lane: 'c:a' }, { event_id: 'two', lane: 'c:b' });
    expect(seen).toEqual(['c:a true', 'c:b true']);
    unfinished.remove(testUnit({ event_id: 'one', lane: 'c:a' }));
    expect([unfinished.hasLane('c:a'), unfinished.hasLane('c:b')]).toEqual([false, true]);
  });
});

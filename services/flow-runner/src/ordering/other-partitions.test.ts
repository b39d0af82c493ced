import { connectorPartitions, lanePartition } from '@sluice/contracts';
import { monotonicClock, silentLogger } from '@sluice/ports';
import { testEnvelope } from '../test-support/units';
import { unitOf, type Unit } from '../units/unit';
import { OtherPartitions } from './other-partitions';

const [connectorId, width, partitions] = ['c', 3, 8];
const [home, second, third] = connectorPartitions(connectorId, width, partitions) as [number, number, number];

type Held = { epoch: number; offset: bigint }[];

/** A connector whose partitions have the given committed and end offsets and held events. */
function lab() {
  let now = 0;
  const offsets = new Map<number, { committed: bigint; end: bigint }>();
  const held = new Map<number, Held>();
  let [looks, fails] = [0, false];
  const others = new OtherPartitions({
    bus: {
      lag: async () => {
        looks += 1;
        if (fails) throw new Error('away');
        return Array.from({ length: partitions }, (_, partition) => ({
          partition, ...(offsets.get(partition) ?? { committed: 0n, end: 0n }),
        }));
      },
    },
    heldStore: {
      heldOrderings: async ({ partition }) => (held.get(partition) ?? []).map((one) => ({ ...one, lane: 'l' })),
    },
    topic: 'events.inbound', group: 'g', logger: silentLogger, monotonicNow: monotonicClock(() => now),
  });
  const unit = (epoch: number, more: { width?: number; lease?: bigint } = {}): Unit =>
    unitOf(
      testEnvelope({ connector_id: connectorId, ordering_epoch: epoch, width: more.width ?? width }),
      { topic: 'events.inbound', partition: second, epoch: more.lease ?? 1n }, 5n, null,
    );
  /** Looks once the acceptors have begun together. */
  const look = async (one: Unit) => {
    await others.look(one);
    now += 2_000;
    await others.look(one);
    return others.state(one);
  };
  return {
    others, unit, look, offsets, held,
    looks: () => looks,
    pass: (ms: number) => { now += ms; },
    fail: (does: boolean) => { fails = does; },
  };
}

test('the partitions of a connector are those of its records', () => {
  const of = (record: string) => lanePartition(connectorId, record, width, partitions);
  const used = new Set(['', ...Array.from({ length: 100 }, (_, n) => `r${n}`)].map(of));
  expect([...used].sort()).toEqual([home, second, third].sort());
  expect(connectorPartitions(connectorId, 24, 3)).toHaveLength(3);
});

test('a connector of one partition, and one whose placement never changed, waits for nothing', () => {
  const { others, unit, looks } = lab();
  expect([others.state(unit(1, { width: 1 })), others.state(unit(0))]).toEqual(['open', 'open']);
  expect(looks()).toBe(0);
});

describe('an event of a raised width', () => {
  test('waits until all acceptors place by it', async () => {
    const { others, unit, pass } = lab();
    const one = unit(1);
    expect(others.state(one)).toBe('unknown');
    await others.look(one);
    expect(others.state(one)).toBe('closed');
    pass(1_999);
    await others.look(one);
    expect(others.state(one)).toBe('closed');
    pass(1);
    await others.look(one);
    expect(others.state(one)).toBe('open');
  });

  test('waits until what the other partitions had is committed, not for what comes later', async () => {
    const { others, look, offsets, unit, pass } = lab();
    offsets.set(home, { committed: 4n, end: 9n });
    expect(await look(unit(1))).toBe('closed');
    offsets.set(home, { committed: 9n, end: 100n });
    expect(others.state(unit(1))).toBe('closed');
    pass(200);
    expect(others.state(unit(1))).toBe('unknown');
    await others.look(unit(1));
    expect(others.state(unit(1))).toBe('open');
  });

  test('does not wait for its own partition, nor for those of other connectors', async () => {
    const { look, offsets, unit } = lab();
    const foreign = Array.from({ length: partitions }, (_, one) => one).find((one) => ![home, second, third].includes(one))!;
    for (const partition of [second, foreign]) offsets.set(partition, { committed: 0n, end: 9n });
    expect(await look(unit(1))).toBe('open');
  });

  test.each<[string, Held, 'open' | 'closed']>([
    ['an older held event', [{ epoch: 0, offset: 3n }], 'closed'],
    ['an older one behind which a newer one waits', [{ epoch: 0, offset: 3n }, { epoch: 1, offset: 4n }], 'closed'],
    ['an older one that waits for a newer one itself', [{ epoch: 0, offset: 4n }, { epoch: 1, offset: 3n }], 'open'],
    ['an event of its own epoch', [{ epoch: 1, offset: 3n }], 'open'],
    ['a newer one', [{ epoch: 2, offset: 3n }], 'open'],
    ['an older one that came after it', [{ epoch: 0, offset: 12n }], 'open'],
  ])('decides by what is held: %s', async (_title, events, expected) => {
    const { held, look, offsets, unit } = lab();
    offsets.set(third, { committed: 9n, end: 9n });
    held.set(third, events);
    expect(await look(unit(1))).toBe(expected);
  });

  test('is looked up once for all of its epoch and of older ones, again for a newer one and by the next owner', async () => {
    const { others, look, looks, unit } = lab();
    expect(await look(unit(2))).toBe('open');
    const before = looks();
    expect([others.state(unit(2)), others.state(unit(1))]).toEqual(['open', 'open']);
    expect([others.state(unit(3)), others.state(unit(2, { lease: 2n }))]).toEqual(['unknown', 'unknown']);
    expect(looks()).toBe(before);
  });

  test('waits while the bus does not answer', async () => {
    const { others, fail, look, unit } = lab();
    fail(true);
    expect(await look(unit(1))).toBe('closed');
    fail(false);
    await others.look(unit(1));
    expect(others.state(unit(1))).toBe('open');
  });
});

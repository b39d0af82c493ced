import { laneScope, type PartitionLease, scopeText, type SettleAnswer, type Settlement } from '@sluice/ports';
import { turns } from '@sluice/ports/testing';
import { createSettler } from './settler';

const settlement = (offset: number, more: Partial<Settlement> = {}): Settlement => ({
  lease: { topic: 't', partition: 0, epoch: 1n },
  offset: BigInt(offset),
  unit: { eventId: `evt_${offset}`, entityIndex: 0, run: 'first' },
  connectorId: 'c',
  verdict: { kind: 'none' },
  mappings: [],
  mappingsRemoved: [],
  recordWrites: [],
  claimsDone: [],
  claimsReleased: [], conflicts: [],
  ...more,
});
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const clean: SettleAnswer = { refused: [], rebound: [], revisions: [], heldLeft: new Map(), breakers: [] };
/** Leases of which nothing is known. */
const unknown = { known: (leases: Iterable<PartitionLease>) => [...leases], settled: () => undefined };

/** A store whose transactions end when the test releases them; `judge` decides their results. */
function gatedStore(judge: (offsets: number[]) => SettleAnswer = () => clean) {
  const transactions: number[][] = [];
  const gates: (() => void)[] = [];
  const settle = async (settlements: readonly Settlement[]): Promise<SettleAnswer> => {
    const offsets = settlements.map(({ offset }) => Number(offset));
    transactions.push(offsets);
    await new Promise<void>((resolve) => gates.push(resolve));
    return judge(offsets);
  };
  return {
    settle,
    transactions,
    open: async () => {
      gates.shift()!();
      await turns();
    },
  };
}

describe('settler', () => {
  it('writes units that settle at the same time in one transaction', async () => {
    const store = gatedStore();
    const settler = createSettler(store, unknown);
    const all = Promise.all(numbers(1, 3).map((offset) => settler.settle(settlement(offset))));
    await turns();
    expect(store.transactions).toEqual([[1, 2, 3]]);
    await store.open();
    expect(await all).toEqual(numbers(1, 3).map(() => ({ refused: false, rebound: false, heldLeft: null })));
  });

  it('has one transaction at a time, and the units that settle meanwhile go into the next', async () => {
    const store = gatedStore();
    const settler = createSettler(store, unknown);
    const settle = (offset: number): void => {
      void settler.settle(settlement(offset));
    };
    settle(1);
    await turns();
    settle(2);
    await turns();
    settle(3);
    await turns();
    expect(store.transactions).toEqual([[1]]);
    await store.open();
    expect(store.transactions).toEqual([[1], [2, 3]]);
    await store.open();
    settle(4);
    await turns();
    expect(store.transactions).toEqual([[1], [2, 3], [4]]);
  });

  it('writes at most 500 at once and keeps their order', async () => {
    const store = gatedStore();
    const settler = createSettler(store, unknown);
    for (const offset of numbers(1, 1_100)) void settler.settle(settlement(offset));
    await turns();
    for (let open = 1; open <= 3; open += 1) await store.open();
    expect(store.transactions).toEqual([numbers(1, 500), numbers(501, 1_000), numbers(1_001, 1_100)]);
  });

  it('lets ends of live units go first, and others into every second transaction', async () => {
    const store = gatedStore();
    const settler = createSettler(store, unknown);
    const end = (offset: number, workClass: 'live' | 'import'): void =>
      void settler.settle(settlement(offset, { verdict: { kind: 'rows', rows: [] } }), workClass);
    end(1, 'import');
    await turns();
    for (const offset of numbers(2, 101)) end(offset, 'import');
    end(102, 'live');
    await store.open();
    expect(store.transactions.at(-1)).toEqual([102]);
    end(103, 'live');
    await store.open();
    expect(store.transactions.at(-1)).toEqual([...numbers(2, 51), 103]);
    await store.open();
    expect(store.transactions.at(-1)).toEqual(numbers(52, 101));
  });

  it('keeps the order of holds, also of live units', async () => {
    const store = gatedStore();
    const settler = createSettler(store, unknown);
    void settler.settle(settlement(1), 'import');
    await turns();
    void settler.settle(settlement(2), 'import');
    void settler.settle(settlement(3), 'live');
    void settler.settle(settlement(4, { verdict: { kind: 'rows', rows: [] }, heldScope: laneScope('a') }), 'live');
    await store.open();
    expect(store.transactions.at(-1)).toEqual([2, 3, 4]);
  });

  it('writes large transactions again when no live unit has ended for some time', async () => {
    const store = gatedStore();
    const settler = createSettler(store, unknown);
    void settler.settle(settlement(0, { verdict: { kind: 'rows', rows: [] } }), 'live');
    for (const offset of numbers(1, 2_000)) void settler.settle(settlement(offset), 'import');
    await turns();
    for (let open = 1; open <= 22; open += 1) await store.open();
    expect(store.transactions.map(({ length }) => length)).toEqual([1, ...numbers(1, 19).map(() => 50), 500, 500, 50]);
  });

  it('gives each unit its result', async () => {
    const store = gatedStore(
      () => ({ refused: [1], rebound: [2], revisions: [], heldLeft: new Map([[scopeText(laneScope('a')), 3]]), breakers: [] }),
    );
    const settler = createSettler(store, unknown);
    const all = Promise.all([
      settler.settle(settlement(1, { heldScope: laneScope('a') })),
      settler.settle(settlement(2)),
      settler.settle(settlement(3, { heldScope: laneScope('b') })),
    ]);
    await turns();
    await store.open();
    expect(await all).toEqual([
      { refused: false, rebound: false, heldLeft: 3 },
      { refused: true, rebound: false, heldLeft: null },
      { refused: false, rebound: true, heldLeft: 0 },
    ]);
  });

  it('stores the others when the database refuses one row', async () => {
    const transactions: number[][] = [];
    const settler = createSettler(
      {
        settle: async (settlements) => {
          transactions.push(settlements.map(({ offset }) => Number(offset)));
          if (settlements.some(({ offset }) => offset === 2n)) throw new Error('not a row');
          return clean;
        },
      },
      unknown,
    );
    const results = await Promise.allSettled(numbers(1, 3).map((offset) => settler.settle(settlement(offset))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(transactions).toEqual([[1, 2, 3], [1], [2], [3]]);
    await expect(settler.settle(settlement(4))).resolves.toMatchObject({ refused: false });
  });
});

import { monotonicClock, type PartitionLease, type PartitionOwnership, StoreUnavailable } from '@sluice/ports';
import { PartitionLeases } from './partition-leases';

const [leaseMs, graceMs, renewEveryMs] = [10_000, 1_000, 2_000];
const ref = { topic: 't', partition: 1 };
const other = { topic: 't', partition: 2 };

/** An ownership store whose answers the test sets, and that notes its calls. */
function lab() {
  const store = {
    answers: [] as (number | Error)[],
    answerMs: 0,
    down: false,
    lost: [] as number[],
    renewals: [] as number[][],
    released: [] as [number, bigint][],
  };
  const seen = { lost: [] as number[], errors: [] as unknown[], told: [] as number[] };
  let epoch = 0n;
  /** How long the store's answer is under way; the store itself decides at once. */
  const answering = async (): Promise<void> => {
    if (store.answerMs > 0) await new Promise((resolve) => { setTimeout(resolve, store.answerMs); });
  };
  const ownership: PartitionOwnership = {
    acquire: async () => {
      await answering();
      const answer = store.answers.shift() ?? 0;
      if (answer instanceof Error) throw answer;
      if (answer > 0) return { acquired: false, waitMs: answer };
      epoch += 1n;
      return { acquired: true, epoch, unclean: false, storeMs: 5_000, settledOffset: 3n, revision: 7n };
    },
    renew: async (_owner, held) => {
      if (store.down) throw new StoreUnavailable('down');
      store.renewals.push(held.map(({ partition }) => partition));
      await answering();
      return { lost: held.filter(({ partition }) => store.lost.includes(partition)), storeMs: 6_000 };
    },
    release: (lease) => { store.released.push([lease.partition, lease.epoch]); return Promise.resolve(); },
  };
  const leases = new PartitionLeases({
    ownership, owner: 'me', leaseMs, renewEveryMs, graceMs, takeOver: false,
    monotonicNow: monotonicClock(Date.now),
    sleep: (ms) => new Promise((resolve) => { setTimeout(resolve, ms); }),
    onLost: ({ partition }) => { seen.lost.push(partition); },
    onError: (error) => { seen.errors.push(error); },
    told: (storeMs) => { seen.told.push(storeMs); },
  });
  running = leases;
  return { store, seen, leases };
}

let running: PartitionLeases;
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

/** The result of a promise so far; undefined while it is open. */
function watch<T>(promise: Promise<T>): { result?: T } {
  const watched: { result?: T } = {};
  void promise.then((result) => { watched.result = result; });
  return watched;
}

beforeEach(() => { jest.useFakeTimers({ now: 0 }); });
afterEach(async () => {
  await running.stop();
  jest.useRealTimers();
});

describe('taking a partition', () => {
  it('waits as long as another owner holds it, and asks again at least every second', async () => {
    const { store, leases } = lab();
    store.answers = [5_000, 300];
    const taken = watch(leases.acquire(ref));
    await pass(1_299);
    expect(taken.result).toBeUndefined();
    expect(leases.held()).toEqual([]);
    await pass(1);
    expect(taken.result).toEqual({ ...ref, epoch: 1n });
    expect(leases.holds(taken.result!)).toBe(true);
  });

  it('waits while the store is down, and reports it', async () => {
    const { store, seen, leases } = lab();
    store.answers = [new StoreUnavailable('down')];
    const taken = watch(leases.acquire(ref));
    await pass(500);
    expect(taken.result).toEqual({ ...ref, epoch: 1n });
    expect(seen.errors).toHaveLength(1);
  });

  it('hands on the time that the store tells with each lease, taken or renewed', async () => {
    const { seen, leases } = lab();
    await leases.acquire(ref);
    expect(seen.told).toEqual([5_000]);
    await pass(renewEveryMs);
    expect(seen.told).toEqual([5_000, 6_000]);
  });

  it('throws an unexpected error', async () => {
    const { store, leases } = lab();
    store.answers = [new TypeError('a bug')];
    await expect(leases.acquire(ref)).rejects.toThrow('a bug');
  });

  it('ends when the partition is given up meanwhile', async () => {
    const { store, leases } = lab();
    store.answers = [600, 600];
    const taken = watch(leases.acquire(ref));
    await pass(100);
    await leases.release(ref);
    await pass(1_000);
    expect(taken).toEqual({ result: null });
    expect(leases.held()).toEqual([]);
  });

  it('releases at once a lease that it got after giving up', async () => {
    const { store, leases } = lab();
    const taken = leases.acquire(ref);
    await leases.release(ref);
    expect(await taken).toBeNull();
    expect(store.released).toEqual([[1, 1n]]);
  });
});

describe('keeping partitions', () => {
  it('renews all of them together', async () => {
    const { store, leases } = lab();
    await leases.acquire(ref);
    await pass(renewEveryMs);
    await leases.acquire(other);
    await pass(renewEveryMs);
    expect(store.renewals).toEqual([[1], [1, 2]]);
  });

  it('reports once a lease that another owner holds now, and keeps the others', async () => {
    const { store, seen, leases } = lab();
    const [mine, theirs] = [(await leases.acquire(ref))!, (await leases.acquire(other))!];
    store.lost = [2];
    await pass(renewEveryMs * 2);
    expect(seen.lost).toEqual([2]);
    expect([leases.holds(mine), leases.holds(theirs)]).toEqual([true, false]);
    expect(store.renewals.at(-1)).toEqual([1]);
  });

  it('keeps the last revision of a lost lease, so that a restored store settles nothing more under it', async () => {
    const { store, leases } = lab();
    const lease = (await leases.acquire(ref))!;
    leases.settled([{ ...lease, revision: 9n }]);
    store.lost = [1];
    await pass(renewEveryMs);
    expect(leases.holds(lease)).toBe(false);
    expect(leases.known([lease])).toEqual([{ ...lease, settledOffset: 3n, revision: 9n }]);
  });

  it('releases a lease, and holds none of its old epochs when it takes the partition again', async () => {
    const { store, leases } = lab();
    const before = (await leases.acquire(ref))!;
    await leases.release(ref);
    const after = (await leases.acquire(ref))!;
    expect(store.released).toEqual([[1, before.epoch]]);
    expect([leases.holds(before), leases.holds(after)]).toEqual([false, true]);
  });

  it('neither renews nor releases a lease that it lets expire', async () => {
    const { store, leases } = lab();
    const left = (await leases.acquire(ref))!;
    await leases.acquire(other);
    leases.abandon(ref);
    expect(leases.holds(left)).toBe(false);
    await pass(renewEveryMs);
    await leases.stop();
    expect(store).toMatchObject({ renewals: [[2]], released: [[2, 2n]] });
  });

  it('releases all when it stops, and then takes and renews nothing', async () => {
    const { store, leases } = lab();
    await leases.acquire(ref);
    await leases.acquire(other);
    await leases.stop();
    expect(store.released).toEqual([[1, 1n], [2, 2n]]);
    expect(await leases.acquire(ref)).toBeNull();
    expect(jest.getTimerCount()).toBe(0);
    expect(store.renewals).toEqual([]);
  });
});

describe('whether a call fits into the leases', () => {
  const fits = async (leases: PartitionLeases, callMs: number): Promise<boolean | 'waits'> => {
    const answer = watch(leases.fits(callMs));
    await pass(0);
    return answer.result ?? 'waits';
  };

  it('answers false without a lease', async () => {
    expect(await fits(lab().leases, 1)).toBe(false);
  });

  it('counts from before the lease was asked for, even if the answer is late', async () => {
    const { store, leases } = lab();
    store.answerMs = 1_500;
    const taken = leases.acquire(ref);
    await pass(1_500);
    await taken;
    expect(await fits(leases, leaseMs - 1_500)).toBe(true);
    expect(await fits(leases, leaseMs - 1_499)).toBe('waits');
  });

  it('counts from before the renewal was asked for, even if its answer is late', async () => {
    const { store, leases } = lab();
    await leases.acquire(ref);
    store.answerMs = 1_500;
    await pass(renewEveryMs + 1_500);
    expect(await fits(leases, leaseMs - 1_500)).toBe(true);
    expect(await fits(leases, leaseMs - 1_499)).toBe('waits');
  });

  it('waits for the next renewal', async () => {
    const { leases } = lab();
    await leases.acquire(ref);
    await pass(1_500);
    const answer = watch(leases.fits(9_000));
    await pass(400);
    expect(answer.result).toBeUndefined();
    await pass(200);
    expect(answer.result).toBe(true);
  });

  it('gives up when no renewal succeeds', async () => {
    const { store, seen, leases } = lab();
    await leases.acquire(ref);
    store.down = true;
    await pass(4_000);
    const answer = watch(leases.fits(8_000));
    await pass(renewEveryMs * 3 - 100);
    expect(answer.result).toBeUndefined();
    await pass(200);
    expect(answer.result).toBe(false);
    expect(seen.errors.length).toBeGreaterThan(0);
  });

  it('answers false once the last lease is lost', async () => {
    const { store, leases } = lab();
    await leases.acquire(ref);
    await pass(1_500);
    store.lost = [1];
    const answer = watch(leases.fits(9_000));
    await pass(600);
    expect(answer.result).toBe(false);
  });

  it('counts the lease that ends first', async () => {
    const { store, leases } = lab();
    await leases.acquire(ref);
    store.down = true;
    await pass(5_000);
    const late: PartitionLease | null = await leases.acquire(other);
    expect(late).not.toBeNull();
    expect(await fits(leases, 5_000)).toBe(true);
    expect(await fits(leases, 5_001)).toBe('waits');
  });
});

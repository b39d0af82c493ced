import { monotonicClock, type PartitionOwnership, StoreUnavailable } from '@sluice/ports';
import { CallTimes } from '../call-times';
import { PartitionLeases } from '../partition-leases';

export const [leaseMs, graceMs, renewEveryMs, startWithinMs] = [10_000, 1_000, 2_000, 3_000];
export const ref = { topic: 't', partition: 1 };
export const other = { topic: 't', partition: 2 };
export const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

/** Runs the tests of a file with fake timers, from time 0; the leases of each test are stopped after it. */
export function useLeasesLab(): () => LeasesLab {
  let running: PartitionLeases | undefined;
  beforeEach(() => { jest.useFakeTimers({ now: 0 }); });
  afterEach(async () => {
    await running?.stop();
    jest.useRealTimers();
  });
  return () => {
    const lab = leasesLab();
    running = lab.leases;
    return lab;
  };
}

type LeasesLab = ReturnType<typeof leasesLab>;

/** The result of a promise so far; undefined while it is open. */
export function watch<T>(promise: Promise<T>): { result?: T } {
  const watched: { result?: T } = {};
  void promise.then((result) => { watched.result = result; });
  return watched;
}

/** An ownership store whose answers the test sets, and that notes its calls. */
function leasesLab() {
  const store = {
    answers: [] as (number | Error)[],
    answerMs: 0,
    down: false,
    lost: [] as number[],
    renewals: [] as number[][],
    /** How long after each renewal calls may be under way. */
    callsEnd: [] as (number | null)[],
    refused: 0,
    released: [] as [number, bigint][],
  };
  const seen = { lost: [] as number[], errors: [] as unknown[], told: [] as number[] };
  let epoch = 0n;
  /** How long the store's answer is under way; the store itself decides at once. */
  const answering = async (): Promise<void> => {
    if (store.answerMs > 0) await new Promise((resolve) => { setTimeout(resolve, store.answerMs); });
  };
  const ownership: PartitionOwnership = {
    acquire: async (_ref, { callsEndMs = null }) => {
      await answering();
      store.callsEnd.push(callsEndMs);
      const answer = store.answers.shift() ?? 0;
      if (answer instanceof Error) throw answer;
      if (answer > 0) return { acquired: false, waitMs: answer };
      epoch += 1n;
      return { acquired: true, epoch, unclean: false, storeMs: 5_000, settledOffset: 3n, revision: 7n };
    },
    renew: async (_owner, held, _leaseMs, callsEndMs = null) => {
      if (store.down) {
        store.refused += 1;
        throw new StoreUnavailable('down');
      }
      store.callsEnd.push(callsEndMs);
      store.renewals.push(held.map(({ partition }) => partition));
      await answering();
      return { lost: held.filter(({ partition }) => store.lost.includes(partition)), storeMs: 6_000 };
    },
    release: (lease) => { store.released.push([lease.partition, lease.epoch]); return Promise.resolve(); },
    deadOwners: () => Promise.resolve([]),
  };
  const monotonicNow = monotonicClock(Date.now);
  const leases = new PartitionLeases({
    ownership, owner: 'me', leaseMs, renewEveryMs, startWithinMs, graceMs, takeOver: false,
    calls: new CallTimes({ monotonicNow, leastMs: 1_000 }), monotonicNow,
    sleep: (ms) => new Promise((resolve) => { setTimeout(resolve, ms); }),
    onLost: ({ partition }) => { seen.lost.push(partition); },
    onError: (error) => { seen.errors.push(error); },
    told: (storeMs) => { seen.told.push(storeMs); },
  });
  return { store, seen, leases };
}

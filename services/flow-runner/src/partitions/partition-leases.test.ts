import { type PartitionLease, StoreUnavailable } from '@sluice/ports';
import { leaseMs, other, pass, ref, renewEveryMs, startWithinMs, useLeasesLab, watch } from './test-support/leases-lab';
import type { PartitionLeases } from './partition-leases';

const lab = useLeasesLab();

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
    await pass(2_500);
    const late: PartitionLease | null = await leases.acquire(other);
    expect(late).not.toBeNull();
    expect(await fits(leases, 7_500)).toBe(true);
    expect(await fits(leases, 7_501)).toBe('waits');
  });

  it('answers no to a short call too, once others may think that this process has died', async () => {
    const { store, leases } = lab();
    await leases.acquire(ref);
    store.down = true;
    await pass(startWithinMs);
    expect(await fits(leases, 1)).toBe(true);
    await pass(1);
    expect(await fits(leases, 1)).toBe('waits');
  });
});

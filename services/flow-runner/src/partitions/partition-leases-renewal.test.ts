import { other, pass, ref, renewEveryMs, startWithinMs, useLeasesLab } from './test-support/leases-lab';

const lab = useLeasesLab();

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

describe('what others learn with each renewal', () => {
  it('is nothing about calls before there was one', async () => {
    const { store, leases } = lab();
    await leases.acquire(ref);
    await pass(renewEveryMs);
    expect(store.callsEnd).toEqual([null, null]);
  });

  it('is for how long calls may start, and how long they may then take', async () => {
    const { store, leases } = lab();
    await leases.acquire(ref);
    const ended = leases.forCalls().callStarted!();
    await pass(800);
    ended();
    await leases.acquire(other);
    leases.forCalls().callStarted!();
    await pass(renewEveryMs - 800);
    expect(store.callsEnd).toEqual([null, startWithinMs + 1_600, startWithinMs + 2_400]);
  });
});

describe('a renewal that fails', () => {
  it('is tried again soon, and told once', async () => {
    const { store, seen, leases } = lab();
    await leases.acquire(ref);
    store.down = true;
    await pass(renewEveryMs + 1_100);
    expect(store.refused).toBe(3);
    store.down = false;
    await pass(500);
    expect(store.renewals).toEqual([[1]]);
    expect(seen.errors).toHaveLength(1);
    store.down = true;
    await pass(renewEveryMs);
    expect(seen.errors).toHaveLength(2);
  });

  it('is not tried again after the stop', async () => {
    const { store, leases } = lab();
    await leases.acquire(ref);
    store.down = true;
    await pass(renewEveryMs);
    await leases.stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('that takes long is followed by the one that became due meanwhile', async () => {
    const { store, leases } = lab();
    await leases.acquire(ref);
    store.answerMs = 2_500;
    await pass(renewEveryMs + 2_500);
    expect(store.renewals).toEqual([[1], [1]]);
    store.answerMs = 0;
    await pass(2_500);
  });
});

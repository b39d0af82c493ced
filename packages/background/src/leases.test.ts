import { setTimeout as sleep } from 'node:timers/promises';
import { FenceLost, type TaskStore } from '@sluice/ports';
import { createMemoryTaskStore, until } from '@sluice/ports/testing';
import { endOfSignal, noting, runnersOfTest } from './test-support/run-workers';

const { start } = runnersOfTest();

describe('leases', () => {
  it('renews the lease of a run that takes longer', async () => {
    const { worker, seen } = noting({ leaseMs: 3_000 }, () => sleep(7_000));
    const { tasks } = start([worker]);
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    await until('it is gone', async () => seen.length > 0 && (await tasks.overview()).length === 0);
    expect([seen.length, seen[0]!.signal.aborted]).toEqual([1, false]);
  });

  it('a run ends when its lease does, although the store does not answer', async () => {
    const tasks = createMemoryTaskStore();
    const store: TaskStore = { ...tasks, renew: () => new Promise(() => undefined) };
    let wasOwned: boolean | undefined;
    const { worker, seen } = noting({ leaseMs: 1_000 }, async ({ signal, isOwned }) => {
      await endOfSignal(signal);
      wasOwned = isOwned();
      throw new Error('ended');
    });
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    const { lines } = start([worker], { tasks, store });
    await until('its run was lost', () => lines.some(({ message }) => message === 'background run lost its task'));
    expect([seen[0]!.attempt, wasOwned]).toEqual([1, false]);
    await until('it runs again', () => seen.length === 2);
    expect(seen[1]!.attempt).toBe(2);
    // The second run hangs as the first one did; its lease must not hold up the end of the test.
    await tasks.remove([{ worker: 'test', key: 'a' }]);
  });

  it('a process that was suspended learns at once that its lease has ended', async () => {
    let suspendedMs = 0;
    const { worker, seen } = noting({}, ({ signal }) => endOfSignal(signal));
    const { tasks } = start([worker], { now: () => performance.now() + suspendedMs });
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    await until('it runs', () => seen.length === 1);
    expect(seen[0]!.isOwned()).toBe(true);
    suspendedMs = 60_000;
    expect(seen[0]!.isOwned()).toBe(false);
    await until('its signal is aborted', () => seen[0]!.signal.aborted);
  });

  it('a run whose task was removed is told so, and its end changes nothing', async () => {
    const { worker, seen } = noting({}, ({ signal }) => endOfSignal(signal));
    const { tasks, lines } = start([worker]);
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    await until('it runs', () => seen.length === 1);
    await tasks.remove([{ worker: 'test', key: 'a' }]);
    await until('it ended', () => lines.some(({ message }) => message === 'background run lost its task'));
    expect(await tasks.overview()).toEqual([]);
  });

  it('a refused write ends the run, and nobody counts it as a failure of the work', async () => {
    const { worker } = noting({}, async ({ fence }) => {
      throw new FenceLost(fence);
    });
    const { tasks, metrics } = start([worker]);
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    await until('counted', async () =>
      (await metrics.render()).includes('sluice_background_runs_total{worker="test",outcome="lost",service="test"} 1'));
    await tasks.remove([{ worker: 'test', key: 'a' }]);
  });

  it('takes over what an earlier life of it had', async () => {
    const tasks = createMemoryTaskStore();
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    await tasks.claim('me', [{ worker: 'test', limit: 1, leaseMs: 3_600_000, exceptTenants: [] }]);
    const { worker, seen } = noting({});
    start([worker], { tasks, owner: 'me', takeOver: true });
    await until('it ran', () => seen.length === 1);
    expect(seen[0]!.attempt).toBe(2);
  });
});

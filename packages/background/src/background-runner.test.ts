import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicClock, silentLogger, StoreUnavailable, type TaskStore } from '@sluice/ports';
import { createMemoryTaskStore, until } from '@sluice/ports/testing';
import { createMetrics } from '@sluice/service-kit';
import { BackgroundRunner } from './background-runner';
import { endOfSignal, noting, runnersOfTest } from './test-support/run-workers';

const { start, started } = runnersOfTest();

describe('schedules', () => {
  it('runs again and again, one run at a time', async () => {
    let running = 0;
    const { worker, seen } = noting({ schedule: { every: 1 } }, async () => {
      running += 1;
      expect(running).toBe(1);
      await sleep(2);
      running -= 1;
    });
    start([worker]);
    await until('three runs', () => seen.length >= 3);
    expect(seen.map(({ key, attempt }) => [key, attempt])).toEqual(seen.map(() => ['', 1]));
  });

  it('goes on with its schedule after a failure, and counts the tries', async () => {
    const { worker, seen } = noting({ schedule: { every: 1 } }, async (_, nth) => {
      if (nth < 3) throw new Error('no answer');
    });
    const { lines } = start([worker]);
    await until('four runs', () => seen.length >= 4);
    expect(seen.slice(0, 4).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1]);
    expect(lines.filter(({ message }) => message === 'background run failed')).toHaveLength(2);
  });

  it('a cron expression is due at its next time, made up once when times were missed', async () => {
    let at = Date.UTC(2026, 0, 1, 12, 0, 30);
    const tasks = createMemoryTaskStore(() => at);
    const { worker, seen } = noting({ schedule: { cron: '*/5 * * * *', zone: 'UTC' } });
    await tasks.ensure([{ worker: 'test', key: '', dueInMs: 0 }]);
    start([worker], { tasks });
    const nextIs = async (text: string) =>
      until(text, async () => (await tasks.overview())[0]?.nextDueAt?.toISOString() === `2026-01-01T${text}:00.000Z`);
    await nextIs('12:05');
    at = Date.UTC(2026, 0, 1, 13, 1);
    await nextIs('13:05');
    expect(seen.map(({ dueAt }) => dueAt.toISOString())).toEqual(['2026-01-01T12:00:30.000Z', '2026-01-01T12:05:00.000Z']);
  });
});

describe('tasks', () => {
  it('runs what was added, and removes what has no more to do', async () => {
    const { worker, seen } = noting({});
    const { tasks } = start([worker]);
    await tasks.ensure([{ worker: 'test', key: 'a', tenant: 'shop' }]);
    await until('it is gone', async () => seen.length === 1 && (await tasks.overview()).length === 0);
    expect(seen[0]).toMatchObject({ key: 'a', tenant: 'shop', attempt: 1 });
  });

  it('runs again when the run says so', async () => {
    const { worker, seen } = noting({}, async (_, nth) => (nth < 3 ? { dueInMs: 0 } : undefined));
    const { tasks } = start([worker]);
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    await until('it is gone', async () => seen.length === 3 && (await tasks.overview()).length === 0);
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
  });

  it('tries as often as it may, then gives up and removes the task', async () => {
    const given: unknown[] = [];
    const { worker, seen } = noting({
      schedule: { waits: [0, 1], attempts: 3 },
      gaveUp: async ({ key, attempt }, error) => void given.push([key, attempt, error]),
    }, async () => {
      throw new Error('the target is gone');
    });
    const { tasks, lines } = start([worker]);
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    await until('it is gone', async () => given.length === 1 && (await tasks.overview()).length === 0);
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(given).toEqual([['a', 3, 'the target is gone']]);
    expect(lines.some(({ message }) => message === 'background task given up after its last try')).toBe(true);
  });

  it('gives a task up whose process ended in each try', async () => {
    const tasks = createMemoryTaskStore();
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    for (let death = 0; death < 2; death += 1) {
      await tasks.claim('dead', [{ worker: 'test', limit: 1, leaseMs: 60_000, exceptTenants: [] }]);
      await tasks.releaseOwned('dead');
    }
    const given: string[] = [];
    const { worker, seen } = noting(
      { schedule: { waits: [0], attempts: 2 }, gaveUp: async (_, error) => void given.push(error) });
    start([worker], { tasks });
    await until('given up', () => given.length === 1);
    expect([seen, given]).toEqual([[], ['The process ended during the last try.']]);
  });

  it('runs as many at the same time as there are places, and of one organization no more than its share', async () => {
    const running = new Map<string, number>();
    const highest = new Map<string, number>();
    const count = (tenant: string, by: number): void => {
      running.set(tenant, (running.get(tenant) ?? 0) + by);
      highest.set(tenant, Math.max(highest.get(tenant) ?? 0, running.get(tenant)!));
    };
    const { worker, seen } = noting({ places: 4, placesPerTenant: 2 }, async ({ tenant }) => {
      for (const name of [tenant, 'all']) count(name, 1);
      await sleep(5);
      for (const name of [tenant, 'all']) count(name, -1);
    });
    const tasks = createMemoryTaskStore();
    const tenants = ['busy', 'calm', 'third'];
    const tenantOf = (n: number): string => tenants[n < 16 ? 0 : n % 3]!;
    await tasks.ensure(Array.from({ length: 24 }, (_, n) => ({ worker: 'test', key: `${n}`, tenant: tenantOf(n) })));
    start([worker], { tasks });
    await until('all ran', async () => seen.length >= 24 && (await tasks.overview()).length === 0);
    expect([highest.get('busy'), highest.get('all')]).toEqual([2, 4]);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(24);
    expect(seen.map(({ attempt }) => attempt)).toEqual(seen.map(() => 1));
  });

  it('two processes share the tasks', async () => {
    const tasks = createMemoryTaskStore();
    const [one, two] = [noting({ places: 2 }, () => sleep(1)), noting({ places: 2 }, () => sleep(1))];
    await tasks.ensure(Array.from({ length: 40 }, (_, n) => ({ worker: 'test', key: `${n}` })));
    start([one.worker], { tasks, owner: 'one' });
    start([two.worker], { tasks, owner: 'two' });
    await until('all are gone', async () => (await tasks.overview()).length === 0);
    const keys = [...one.seen, ...two.seen].map(({ key }) => key);
    expect([keys.length, new Set(keys).size]).toEqual([40, 40]);
    expect(Math.min(one.seen.length, two.seen.length)).toBeGreaterThan(0);
  });
});

describe('the process', () => {
  it('gives back what it has when it stops, at once and without counting a try', async () => {
    const tasks = createMemoryTaskStore();
    const { worker, seen } = noting({}, async ({ signal }) => {
      await endOfSignal(signal);
      throw new Error('stopped in the middle');
    });
    const { runner } = start([worker], { tasks });
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    await until('it runs', () => seen.length === 1);
    await runner.stop();
    const { runs: [run] } = await tasks.claim('two', [{ worker: 'test', limit: 1, leaseMs: 1_000, exceptTenants: [] }]);
    expect(run).toMatchObject({ key: 'a', attempt: 1 });
  });

  it('a run that ends well while the process stops has done its work', async () => {
    const tasks = createMemoryTaskStore();
    const { worker, seen } = noting({}, ({ signal }) => endOfSignal(signal));
    const { runner } = start([worker], { tasks });
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    await until('it runs', () => seen.length === 1);
    await runner.stop();
    expect(await tasks.overview()).toEqual([]);
  });

  it('waits for a store that does not answer, and tells so once', async () => {
    const tasks = createMemoryTaskStore();
    let down = true;
    const asked = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => async (...args: A): Promise<R> => {
      if (down) throw new StoreUnavailable('away');
      return work(...args);
    };
    const { worker, seen } = noting({ schedule: { every: 60_000 } });
    const { lines } = start([worker], { tasks, store: { ...tasks, ensure: asked(tasks.ensure), claim: asked(tasks.claim) } });
    await until('it was told', () => lines.length > 0);
    await sleep(100);
    expect(lines.map(({ message }) => message)).toEqual(['background tasks could not be claimed']);
    down = false;
    await until('it ran', () => seen.length === 1);
    expect(lines.map(({ message }) => message)).toContain('background tasks are claimed again');
  });

  it('an end that the store does not hear is told again', async () => {
    const tasks = createMemoryTaskStore();
    let refusals = 1;
    const store: TaskStore = { ...tasks, finish: async (...args) => {
      if (refusals-- > 0) throw new StoreUnavailable('away');
      return tasks.finish(...args);
    } };
    const { worker, seen } = noting({ leaseMs: 5_000 });
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    start([worker], { tasks, store });
    await until('it is gone', async () => (await tasks.overview()).length === 0);
    expect(seen).toHaveLength(1);
  });

  it('is told of a task that it has just added', async () => {
    const tasks = createMemoryTaskStore();
    const { worker, seen } = noting({});
    const runner = started(new BackgroundRunner({
      tasks, workers: [worker], owner: 'one', logger: silentLogger, metrics: createMetrics({ service: 'test' }),
      monotonicNow: monotonicClock(() => performance.now()), pollMs: 3_600_000,
    }));
    await sleep(50);
    await tasks.ensure([{ worker: 'test', key: 'a' }]);
    runner.wake();
    await until('it ran', () => seen.length === 1);
  });
});

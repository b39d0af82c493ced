import { randomUUID } from 'node:crypto';
import { type Fence, FenceLost, type NewTask, type TaskRun, type TaskStore } from '../../tasks/task-store';
import { until } from '../shared/until';

export interface TaskStoreLab {
  store: TaskStore;
  /** Another process's store on the same data. */
  other: TaskStore;
  /** Writes with a fence in a transaction that stays open until `hold` resolves. @throws FenceLost where the write is refused */
  write(fence: Fence, hold?: Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const minute = 60_000;
/** A worker that no other test uses. */
const newWorker = (): string => `test.${randomUUID()}`;
const done = { next: 'removed', error: null, retry: false } as const;

/**
 * What every task store must do. Call it at the top level of a test file.
 * @param makeLab called once
 */
export function taskStoreConformance(name: string, makeLab: () => Promise<TaskStoreLab>): void {
  describe(`${name} is a task store`, () => {
    let lab: TaskStoreLab;
    let worker: string;
    beforeAll(async () => {
      lab = await makeLab();
    });
    beforeEach(() => {
      worker = newWorker();
    });
    afterAll(() => lab.close());

    const claim = async (
      { store = lab.store, owner = 'one', limit = 10, leaseMs = minute, exceptTenants = [] as string[] } = {},
    ): Promise<TaskRun[]> => (await store.claim(owner, [{ worker, limit, leaseMs, exceptTenants }])).runs;
    const claimOne = async (options: Parameters<typeof claim>[0] = {}): Promise<TaskRun> => {
      const [run] = await claim(options);
      if (!run) throw new Error('nothing was claimed');
      return run;
    };
    const add = (...keys: string[]): Promise<void> => lab.store.ensure(keys.map((key): NewTask => ({ worker, key })));
    const keysOf = (runs: TaskRun[]): string[] => runs.map(({ key }) => key);
    const overview = async () => (await lab.store.overview()).find((one) => one.worker === worker);

    describe('claims', () => {
      it('gives each task to one of many concurrent claims', async () => {
        await add(...Array.from({ length: 20 }, (_, n) => `task-${n}`));
        const claims = Array.from({ length: 8 }, (_, n) =>
          claim({ store: n % 2 === 0 ? lab.store : lab.other, owner: `owner-${n}`, limit: 3 }));
        const keys = keysOf((await Promise.all(claims)).flat());
        keys.push(...keysOf(await claim({ limit: 20 })));
        expect([keys.length, new Set(keys).size]).toEqual([20, 20]);
      });

      it('tells of each run what it is, who pays for it and which try it is', async () => {
        await lab.store.ensure([{ worker, key: 'a', tenant: 'shop' }]);
        const run = await claimOne();
        expect(run).toEqual({
          worker, key: 'a', tenant: 'shop', epoch: expect.any(BigInt), dueAt: expect.any(Date), attempt: 1,
          claimedAt: expect.any(Date),
        });
        expect(run.dueAt.getTime()).toBeLessThanOrEqual(run.claimedAt.getTime());
      });

      it('takes those that are due longest first, and nothing that is not due', async () => {
        await lab.store.ensure([{ worker, key: 'later', dueInMs: minute }]);
        await add('first');
        await until('a moment later', async () => (await overview())!.oldestDueMs > 2);
        await add('second');
        expect(keysOf(await claim({ limit: 1 }))).toEqual(['first']);
        expect(keysOf(await claim())).toEqual(['second']);
      });

      it('tells when the next task may be claimed', async () => {
        expect((await lab.store.claim('one', [{ worker, limit: 1, leaseMs: minute, exceptTenants: [] }])).nextInMs).toBeNull();
        await lab.store.ensure([{ worker, key: 'later', dueInMs: minute }]);
        const { runs, nextInMs } = await lab.store.claim('one', [{ worker, limit: 1, leaseMs: minute, exceptTenants: [] }]);
        expect(runs).toEqual([]);
        expect(nextInMs).toBeGreaterThan(minute / 2);
        expect(nextInMs).toBeLessThanOrEqual(minute);
      });

      it('asks for several workers at once', async () => {
        const second = newWorker();
        await lab.store.ensure([{ worker, key: 'a' }, { worker, key: 'b' }, { worker: second, key: 'c' }]);
        const ask = { leaseMs: minute, exceptTenants: [] };
        const { runs } = await lab.store.claim('one', [{ worker, limit: 1, ...ask }, { worker: second, limit: 5, ...ask }]);
        expect(keysOf(runs).sort()).toEqual(['a', 'c']);
      });

      it('leaves organizations alone that have their share', async () => {
        const tenants = [{ key: 'a', tenant: 'busy' }, { key: 'b', tenant: 'calm' }, { key: 'c' }];
        await lab.store.ensure(tenants.map((task) => ({ worker, ...task })));
        expect(keysOf(await claim({ exceptTenants: ['busy'] })).sort()).toEqual(['b', 'c']);
      });

      it('keeps a key of any length', async () => {
        const key = 'k'.repeat(5_000);
        await lab.store.ensure([{ worker, key }]);
        const run = await claimOne();
        expect(await lab.store.finish(run, done)).toBe(true);
        await lab.store.ensure([{ worker, key }]);
        await lab.store.remove([{ worker, key }]);
        expect(await claim()).toEqual([]);
      });
    });

    describe('leases', () => {
      it('gives a task to another owner once its lease has passed, and reports that to the first one', async () => {
        await add('a');
        const first = await claimOne({ leaseMs: 50 });
        let second: TaskRun | undefined;
        await until('the lease has passed', async () => {
          [second] = await claim({ store: lab.other, owner: 'two' });
          return second !== undefined;
        });
        expect(second!.epoch > first.epoch).toBe(true);
        expect([second!.attempt, second!.dueAt]).toEqual([2, first.dueAt]);
        expect(await lab.store.renew('one', [{ ...first, leaseMs: minute }])).toEqual([{ worker, key: 'a', epoch: first.epoch }]);
        expect(await lab.store.finish(first, done)).toBe(false);
        expect(await lab.other.finish(second!, done)).toBe(true);
      });

      it('keeps a renewed lease past its first end', async () => {
        await add('a', 'short');
        const runs = await claim({ leaseMs: 100 });
        const long = runs.filter(({ key }) => key === 'a').map((run) => ({ ...run, leaseMs: minute }));
        expect(await lab.store.renew('one', long)).toEqual([]);
        await until('the other lease has passed', async () => keysOf(await claim({ owner: 'two' })).includes('short'));
        expect(await claim({ owner: 'two' })).toEqual([]);
      });

      it('frees at once what an earlier life of the same owner has, as a try that failed', async () => {
        await add('a', 'b');
        const mine = await claimOne({ limit: 1, owner: 'me' });
        await claimOne({ limit: 1, owner: 'other' });
        await lab.other.releaseOwned('me');
        const again = await claim({ owner: 'me' });
        expect([keysOf(again), again[0]!.attempt]).toEqual([[mine.key], 2]);
        await expect(lab.write(mine)).rejects.toThrow(FenceLost);
      });

      it('a task that was given back is due as before, and its run does not count', async () => {
        await add('a');
        const run = await claimOne();
        await lab.store.release([run]);
        const again = await claimOne({ owner: 'two' });
        expect([again.attempt, again.dueAt]).toEqual([1, run.dueAt]);
      });
    });

    describe('ends of runs', () => {
      it('a task without more to do is gone', async () => {
        await add('a');
        expect(await lab.store.finish(await claimOne(), done)).toBe(true);
        expect(await overview()).toBeUndefined();
      });

      it('counts the tries of the same work, and begins again with new work', async () => {
        await add('a');
        const retry = { next: { dueInMs: 0 }, error: 'no answer', retry: true };
        await lab.store.finish(await claimOne(), retry);
        await lab.store.finish(await claimOne(), retry);
        const third = await claimOne();
        expect(third.attempt).toBe(3);
        await lab.store.finish(third, { next: { dueInMs: 0 }, error: null, retry: false });
        expect((await claimOne()).attempt).toBe(1);
      });

      it('is due again after a while, or at a time', async () => {
        await add('a', 'b');
        const [a, b] = (await claim()).sort((one, other) => one.key.localeCompare(other.key));
        await lab.store.finish(a!, { next: { dueInMs: minute }, error: null, retry: false });
        await lab.store.finish(b!, { next: { dueAt: new Date(b!.claimedAt.getTime() - 5_000) }, error: null, retry: false });
        const [again, ...others] = await claim();
        expect([again!.key, again!.dueAt.getTime(), others]).toEqual(['b', b!.claimedAt.getTime() - 5_000, []]);
      });

      it('a run ends once', async () => {
        await add('a');
        const run = await claimOne();
        await lab.store.finish(run, { next: { dueInMs: minute }, error: null, retry: false });
        expect(await lab.store.finish(run, done)).toBe(false);
        expect(await overview()).toMatchObject({ tasks: 1 });
      });
    });

    describe('waking', () => {
      it('makes a waiting task due, and adds an unknown one', async () => {
        await lab.store.ensure([{ worker, key: 'a', dueInMs: minute }]);
        await lab.other.wake([{ worker, key: 'a' }, { worker, key: 'b' }]);
        expect(keysOf(await claim()).sort()).toEqual(['a', 'b']);
      });

      it('never moves a task to later', async () => {
        await add('a');
        await lab.store.wake([{ worker, key: 'a', dueInMs: minute }]);
        expect(keysOf(await claim())).toEqual(['a']);
      });

      it.each([
        ['has nothing more to do', done],
        ['wants to wait', { next: { dueInMs: minute }, error: null, retry: false }],
        ['failed', { next: { dueInMs: minute }, error: 'no', retry: true }],
      ])('a task that is woken while it runs runs again, although its run %s', async (_, end) => {
        await add('a');
        const run = await claimOne();
        await lab.other.wake([{ worker, key: 'a' }]);
        expect(await claim()).toEqual([]);
        await lab.store.finish(run, end);
        expect((await claimOne()).attempt).toBe(1);
      });

      it('adding a task that is there changes nothing', async () => {
        await lab.store.ensure([{ worker, key: 'a', dueInMs: minute }]);
        await add('a');
        expect(await claim()).toEqual([]);
      });
    });

    describe('fences', () => {
      it('accepts the writes of a run until it ends', async () => {
        await add('a');
        const run = await claimOne();
        await lab.write(run);
        await lab.store.finish(run, { next: { dueInMs: minute }, error: null, retry: false });
        await expect(lab.write(run)).rejects.toThrow(FenceLost);
      });

      it('refuses the writes of a run whose task was removed, also when it was added again', async () => {
        await add('a');
        const run = await claimOne();
        await lab.other.remove([run]);
        await expect(lab.write(run)).rejects.toThrow(FenceLost);
        await add('a');
        await claimOne({ owner: 'two' });
        await expect(lab.write(run)).rejects.toThrow(FenceLost);
        expect(await lab.store.finish(run, done)).toBe(false);
      });

      it('refuses the writes of a run whose task has passed to another one', async () => {
        await add('a');
        const frozen = await claimOne({ leaseMs: 1 });
        await until('another owner has it', async () => (await claim({ store: lab.other, owner: 'two' })).length > 0);
        await expect(lab.write(frozen)).rejects.toThrow(FenceLost);
      });

      it('a lease is renewed while a write of its run is under way', async () => {
        await add('a');
        const run = await claimOne({ leaseMs: 1 });
        let end: () => void = () => undefined;
        const writing = lab.write(run, new Promise((resolve) => (end = resolve)));
        await until('its lease has ended', async () => (await overview())!.lastStartedAt!.getTime() < Date.now() - 50);
        expect(await lab.store.renew('one', [{ ...run, leaseMs: minute }])).toEqual([]);
        end();
        await writing;
        expect(await claim({ owner: 'two' })).toEqual([]);
      });
    });

    it('tells of every worker what it does and what went wrong last', async () => {
      await add('a', 'b', 'c');
      await lab.store.ensure([{ worker, key: 'later', dueInMs: minute }]);
      const [first] = await claim({ limit: 2 });
      await lab.store.finish(first!, { next: { dueInMs: 2 * minute }, error: 'the target did not answer', retry: true });
      const seen = await overview();
      expect(seen).toEqual({
        worker, tasks: 4, running: 1, due: 1, oldestDueMs: expect.any(Number), failing: 1, owner: 'one',
        lastStartedAt: expect.any(Date), lastEndedAt: expect.any(Date), lastError: 'the target did not answer',
        nextDueAt: expect.any(Date),
      });
    });
  });
}

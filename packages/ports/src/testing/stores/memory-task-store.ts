import {
  type Fence, FenceLost, type NewTask, type TaskOverview, type TaskRef, type TaskRun, type TaskStore,
} from '../../tasks/task-store';

interface Task extends TaskRef {
  tenant: string;
  dueAt: number;
  freeAt: number;
  owner: string | null;
  epoch: bigint;
  attempts: number;
  woken: boolean;
  startedAt: number | null;
  endedAt: number | null;
  lastOwner: string | null;
  error: string | null;
}

export interface MemoryTaskStore extends TaskStore {
  /** Throws FenceLost where a write with this fence would be refused. */
  assertFence(fence: Fence): void;
}

const idOf = ({ worker, key }: TaskRef): string => JSON.stringify([worker, key]);
const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/**
 * A task store in memory.
 * @param now its clock, milliseconds since the epoch
 */
export function createMemoryTaskStore(now: () => number = Date.now): MemoryTaskStore {
  const tasks = new Map<string, Task>();
  let lastEpoch = 0n;
  const add = (tasksToAdd: readonly NewTask[], present: (task: Task, dueAt: number) => void): void => {
    for (const { worker, key, tenant = '', dueInMs = 0 } of tasksToAdd) {
      const dueAt = now() + dueInMs;
      const task = tasks.get(idOf({ worker, key }));
      if (task) present(task, dueAt);
      else tasks.set(idOf({ worker, key }), { ...newTask, worker, key, tenant, dueAt, freeAt: dueAt });
    }
  };
  const heldBy = (fence: Fence): Task | undefined => {
    const task = tasks.get(idOf(fence));
    return task && task.owner !== null && task.epoch === fence.epoch ? task : undefined;
  };
  const giveBack = (task: Task, attempts: number): void =>
    void Object.assign(task, { owner: null, lastOwner: task.owner, freeAt: task.dueAt, woken: false, attempts });
  const begin = (task: Task, owner: string, leaseMs: number): TaskRun => {
    lastEpoch += 1n;
    const at = now();
    Object.assign(task, {
      owner, epoch: lastEpoch, attempts: task.attempts + 1, freeAt: at + leaseMs, startedAt: at, woken: false,
    });
    const { worker, key, tenant, epoch, dueAt, attempts: attempt } = task;
    return { worker, key, tenant, epoch, dueAt: new Date(dueAt), attempt, claimedAt: new Date(at) };
  };
  const ofWorker = (worker: string): Task[] => [...tasks.values()].filter((task) => task.worker === worker);

  return {
    ensure: async (list) => add(list, () => undefined),
    wake: async (list) => add(list, (task, dueAt) => {
      if (task.owner !== null) task.woken = true;
      else Object.assign(task, { dueAt: Math.min(task.dueAt, dueAt), freeAt: Math.min(task.freeAt, dueAt) });
    }),
    remove: async (list) => list.forEach((task) => tasks.delete(idOf(task))),
    claim: async (owner, requests) => {
      const runs = requests.flatMap(({ worker, limit, leaseMs, exceptTenants }) =>
        ofWorker(worker)
          .filter(({ freeAt, tenant }) => freeAt <= now() && !exceptTenants.includes(tenant))
          .sort((one, other) => one.freeAt - other.freeAt)
          .slice(0, limit)
          .map((task) => begin(task, owner, leaseMs)));
      const next = Math.min(...requests.flatMap(({ worker }) => ofWorker(worker).map(({ freeAt }) => freeAt)));
      return {
        runs: runs.sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime()),
        nextInMs: Number.isFinite(next) ? Math.max(0, next - now()) : null,
      };
    },
    renew: async (owner, held) => held.flatMap(({ leaseMs, ...fence }) => {
      const task = heldBy(fence);
      if (task?.owner !== owner) return [{ worker: fence.worker, key: fence.key, epoch: fence.epoch }];
      task.freeAt = now() + leaseMs;
      return [];
    }),
    finish: async (fence, { next, error, retry }) => {
      const task = heldBy(fence);
      if (!task) return false;
      if (next === 'removed' && !task.woken) return tasks.delete(idOf(task));
      const later = next === 'removed' ? now() : 'dueAt' in next ? next.dueAt.getTime() : now() + next.dueInMs;
      const dueAt = task.woken ? now() : later;
      const attempts = retry && !task.woken ? task.attempts : 0;
      Object.assign(task, {
        dueAt, freeAt: dueAt, lastOwner: task.owner, owner: null, endedAt: now(), error, woken: false, attempts,
      });
      return true;
    },
    release: async (fences) => {
      for (const task of fences.map(heldBy)) if (task) giveBack(task, task.attempts - 1);
    },
    releaseOwned: async (owner) => {
      for (const task of tasks.values()) if (task.owner === owner) giveBack(task, task.attempts);
    },
    overview: async () => [...new Set([...tasks.values()].map(({ worker }) => worker))].sort()
      .map((worker) => overviewOf(worker, ofWorker(worker), now())),
    assertFence: (fence) => {
      if (!heldBy(fence)) throw new FenceLost(fence);
    },
  };
}

const newTask = {
  owner: null, epoch: 0n, attempts: 0, woken: false, startedAt: null, endedAt: null, lastOwner: null, error: null,
} satisfies Partial<Task>;

function overviewOf(worker: string, tasks: Task[], now: number): TaskOverview {
  const due = tasks.filter(({ owner, freeAt }) => owner === null && freeAt <= now);
  const newest = <K extends 'startedAt' | 'endedAt'>(key: K, among = tasks): Task | undefined =>
    among.filter((task) => task[key] !== null).sort((one, other) => other[key]! - one[key]!)[0];
  const failing = tasks.filter(({ error }) => error !== null);
  const began = newest('startedAt');
  const idle = tasks.filter(({ owner }) => owner === null).map(({ dueAt }) => dueAt);
  return {
    worker, tasks: tasks.length, running: tasks.length - idle.length, due: due.length,
    oldestDueMs: Math.max(0, ...due.map(({ dueAt }) => now - dueAt)), failing: failing.length,
    owner: began?.owner ?? began?.lastOwner ?? null,
    lastStartedAt: dateOf(began?.startedAt ?? null), lastEndedAt: dateOf(newest('endedAt')?.endedAt ?? null),
    lastError: (newest('endedAt', failing) ?? failing[0])?.error ?? null,
    nextDueAt: idle.length === 0 ? null : new Date(Math.min(...idle)),
  };
}

/** Work in the background under leases: claims, fences, tries, shares. */
const runner = { project: 'unit', pattern: 'packages/background' };
const store = { project: 'integration', pattern: 'store-postgres/src/tasks' };
const runs = 'packages/background/src/task-runs.ts';

export default [
  {
    name: 'background: a claim does not move the time from which the task may be claimed',
    file: 'packages/adapters/store-postgres/src/tasks/claim-tasks.ts',
    find: "free_at = clock_timestamp() + p.lease_ms * interval '1 millisecond', ",
    replace: '',
    notice: store,
  },
  {
    name: 'background: a claim keeps the epoch of the run before',
    file: 'packages/adapters/store-postgres/src/tasks/claim-tasks.ts',
    find: "epoch = greatest(t.epoch + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)",
    replace: 'epoch = greatest(t.epoch, 1)',
    notice: store,
  },
  {
    name: 'background: a write does not lock its task against a claim',
    file: 'packages/adapters/store-postgres/src/tasks/assert-fence.ts',
    find: 'WHERE worker = $1 AND key = $2 AND epoch = $3 AND owner IS NOT NULL FOR KEY SHARE`;',
    replace: 'WHERE worker = $1 AND key = $2 AND epoch = $3 AND owner IS NOT NULL`;',
    notice: store,
  },
  {
    name: 'background: a task that is woken while it runs waits as its run says',
    file: 'packages/adapters/store-postgres/src/tasks/create-task-store.ts',
    find: 'CASE WHEN woken THEN now() ELSE coalesce($4, now() + $5::float8 * interval \'1 millisecond\') END AS next',
    replace: "coalesce($4, now() + $5::float8 * interval '1 millisecond') AS next",
    notice: store,
  },
  {
    name: 'background: a lease is not renewed during a write of the same run',
    file: 'packages/adapters/store-postgres/src/tasks/create-task-store.ts',
    find: 'FOR NO KEY UPDATE OF t SKIP LOCKED',
    replace: 'FOR UPDATE OF t SKIP LOCKED',
    notice: store,
  },
  {
    name: 'background: work whose process ended in each try is tried for ever',
    file: runs,
    find: 'if (isBeyondAttempts(worker, context.attempt)) return',
    replace: 'if (worker.places === 0) return',
    notice: runner,
  },
  {
    name: 'background: a run that the process stops counts as a failure',
    file: runs,
    find: "if (context.signal.aborted) return { outcome: this.stopping ? 'given_back' : 'lost', error };",
    replace: '',
    notice: runner,
  },
  {
    name: 'background: a lease ends only when the store answers',
    file: 'packages/background/src/leases.ts',
    find: 'if (!this.isSafe(lease)) lease.abort();',
    replace: 'if (this.failing && !this.isSafe(lease)) lease.abort();',
    notice: runner,
  },
  {
    name: 'background: an organization takes every place of a worker',
    file: 'packages/background/src/background-runner.ts',
    find: "tenant !== '' && (byTenant.get(tenant) ?? 0) >= placesPerTenant;",
    replace: "tenant !== '' && (byTenant.get(tenant) ?? 0) > places;",
    notice: runner,
  },
];

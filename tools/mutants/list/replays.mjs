/** Jobs that replay many records. */
const routes = { project: 'integration', pattern: 'features/replays' };
const worker = { project: 'unit', pattern: 'event-replays/src/replay-worker' };
const step = 'packages/adapters/store-postgres/src/replays/step-replay.ts';
const candidates = 'packages/adapters/store-postgres/src/replays/replay-candidates.ts';

export default [
  {
    name: 'replays: a step goes on although the job was cancelled',
    file: step,
    find: "if (row?.status !== 'running') return null;",
    replace: 'if (!row) return null;',
    notice: routes,
  },
  {
    name: 'replays: a record with several failing runs is matched by each',
    file: candidates,
    find: "[isNewest(ownRun)]",
    replace: '[]',
    notice: routes,
  },
  {
    name: 'replays: records that are accepted later belong to the job',
    file: candidates,
    find: '`s.created_at <= ${bind(job.createdAt)}::timestamptz`, ',
    replace: '',
    notice: routes,
  },
  {
    name: 'replays: quarantined records are replayed without force',
    file: step,
    find: "one.can_be_replayed && (job.force || one.status !== 'quarantined')",
    replace: 'one.can_be_replayed',
    notice: routes,
  },
  {
    name: 'replays: the newest record comes first',
    file: candidates,
    find: 'ORDER BY s.created_at, s.id LIMIT',
    replace: 'ORDER BY s.created_at DESC, s.id LIMIT',
    notice: routes,
  },
  {
    name: 'replays: a record that another replay has under way is started again',
    file: step,
    find: 'WHERE r.run <> excluded.run AND (EXISTS (',
    replace: 'WHERE r.run <> excluded.run AND (true OR EXISTS (',
    notice: routes,
  },
  {
    name: 'replays: a rate begins with a burst',
    file: 'packages/event-replays/src/replay-worker.ts',
    find: '* this.job.ratePerSecond) / 1_000) + 1 - this.looked',
    replace: '* this.job.ratePerSecond) / 1_000) + 9 - this.looked',
    notice: worker,
  },
  {
    name: 'replays: what a predecessor left does not count in the window',
    file: 'packages/event-replays/src/replay-worker.ts',
    find: 'for (const unit of await this.deps.replayJobs.underWay(this.job.id)) this.underWay.set(unitKeyText(unit), unit);',
    replace: '',
    notice: worker,
  },
];

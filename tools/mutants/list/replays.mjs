/** Jobs that replay many records. */
const routes = { project: 'integration', pattern: 'features/replays' };
const worker = { project: 'unit', pattern: 'event-replays/src/replay-worker' };
const step = 'packages/adapters/store-postgres/src/replays/step-replay.ts';
const candidates = 'packages/adapters/store-postgres/src/replays/replay-candidates.ts';

const pages = { project: 'integration', pattern: 'replays/replay-pages' };

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
    find: "'true' : isNewest(ownRun)",
    replace: "'true' : 'true'",
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
    find: 'this.begun(await this.deps.replayJobs.underWay(this.job.id));',
    replace: '',
    notice: worker,
  },
  {
    name: 'replays: a page reads what the whole table says of the job',
    file: candidates,
    find: `(SELECT true FROM sync_events o WHERE o.event_id = s.event_id AND o.entity_index = s.entity_index
        AND o.created_at = s.created_at AND o.run = \${ownRun} LIMIT 1) IS NOT NULL AS is_own`,
    replace: `s.id IN (SELECT o.id FROM sync_events o WHERE o.run = \${ownRun}) AS is_own`,
    notice: pages,
  },
  {
    name: 'replays: a record that its own run ended is started again',
    file: step,
    find: '!one.is_own && ',
    replace: '',
    notice: { project: 'integration', pattern: 'replays/replay-job-store' },
  },
  {
    name: 'replays: a page of large payloads is taken for the last',
    file: step,
    find: ' && rows.length === (last?.found ?? 0)',
    replace: '',
    notice: { project: 'integration', pattern: 'replays/replay-job-store' },
  },
  {
    name: 'replays: the window stays large behind a slow portal',
    file: 'packages/event-replays/src/replay-window.ts',
    find: 'if (tookMs < longMs || this.most === this.least) return;',
    replace: 'if (tookMs >= 0) return;',
    notice: { project: 'unit', pattern: 'event-replays/src/replay-window' },
  },
];

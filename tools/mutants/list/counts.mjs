/** Counts of ended records and accepted events, and the routes that tell them. */
const store = { project: 'integration', pattern: 'store-postgres/src/monitoring' };
const backlog = { project: 'unit', pattern: 'monitoring/backlog-view' };

export default [
  {
    name: 'counts: a row that is stored again is counted again',
    file: 'packages/adapters/store-postgres/src/run/settle/settle-rows.ts',
    find: 'ON CONFLICT (id, created_at) DO NOTHING\n    RETURNING',
    replace: 'ON CONFLICT (id, created_at) DO UPDATE SET attempts = excluded.attempts\n    RETURNING',
    notice: store,
  },
  {
    name: 'counts: an event that is indexed again is counted again',
    file: 'packages/adapters/store-postgres/src/event-index/insert-index.ts',
    find: "FROM indexed WHERE run = 'first' GROUP BY",
    replace: "FROM ${index.from} WHERE run = 'first' GROUP BY",
    notice: store,
  },
  {
    name: 'counts: hours that are added up replace what was added up before',
    file: 'packages/adapters/store-postgres/src/counts/fold.ts',
    find: 'ON CONFLICT (connector_id, at, status) DO UPDATE SET\n      records = h.records + excluded.records',
    replace: 'ON CONFLICT (connector_id, at, status) DO UPDATE SET\n      records = excluded.records',
    notice: store,
  },
  {
    name: 'counts: the time of a replay counts as a latency',
    file: 'packages/adapters/store-postgres/src/counts/record-minutes.ts',
    find: "const classOf = `CASE WHEN run = 'first' THEN",
    replace: 'const classOf = `CASE WHEN true THEN',
    notice: store,
  },
  {
    name: 'counts: held units count as in the log too',
    file: 'packages/adapters/store-postgres/src/monitoring/waiting.ts',
    find: 'WHERE h.event_id = i.event_id AND h.entity_index = i.entity_index AND h.run = i.run)) waiting',
    replace: 'WHERE h.event_id = i.event_id AND h.entity_index < 0)) waiting',
    notice: store,
  },
  {
    name: 'backlog: stalled as soon as nothing has finished',
    file: 'services/config-api/src/features/monitoring/backlog-view.ts',
    find: 'if (finished === 0 && ageMs >= windowMs)',
    replace: 'if (finished === 0)',
    notice: backlog,
  },
];

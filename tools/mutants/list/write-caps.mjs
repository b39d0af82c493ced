/** The caps of first syncs: counting, tripping, what waits, the release. */
const unit = (pattern) => ({ project: 'unit', pattern });
const integration = (pattern) => ({ project: 'integration', pattern });
const store = 'packages/adapters/store-postgres/src/write-caps';
const caps = 'packages/crm-writer/src/calls/write-caps.ts';

export default [
  {
    name: 'write cap: what is reserved by others does not count', file: `${store}/create-write-cap-store.ts`,
    find: 'c.writes + (SELECT coalesce(sum(r.writes), 0) FROM write_cap_reservations r WHERE r.connector_id = c.connector_id)', replace: 'c.writes',
    notice: integration('write-cap-store'),
  },
  {
    name: 'write cap: a reservation that was not settled is forgotten', file: `${store}/create-write-cap-store.ts`,
    find: 'SET writes = writes + (SELECT coalesce(sum(writes), 0) FROM expired)', replace: 'SET writes = writes',
    notice: integration('write-cap-store'),
  },
  {
    name: 'write cap: a batch is counted again after its reservation had expired', file: `${store}/create-write-cap-store.ts`,
    find: 'FROM ended WHERE c.connector_id = ended.connector_id', replace: 'WHERE c.connector_id = $1 AND $2 IS NOT NULL',
    notice: integration('write-cap-store'),
  },
  {
    name: 'write cap: a connector in error is paused', file: `${store}/move-cap.ts`,
    find: "where: { id: connectorId, status: 'active' }", replace: 'where: { id: connectorId }', notice: integration('write-cap-store'),
  },
  {
    name: 'write cap: it settles while events wait', file: `${store}/move-cap.ts`,
    find: "s.reason IN ('write_cap', 'paused') OR ", replace: 'false AND ', notice: integration('write-cap-store'),
  },
  {
    name: 'write cap: a second publish arms it', file: 'packages/adapters/store-postgres/src/config/drafts/publish-version.ts',
    find: 'if (number === 1) await armWriteCap', replace: 'if (number === 2) await armWriteCap', notice: integration('write-cap-store'),
  },
  {
    name: 'write cap: enterprise contracts have one', file: 'packages/ports/src/run-store/write-cap-store.ts',
    find: "review && tier !== 'enterprise'", replace: 'review', notice: unit('memory-write-caps'),
  },
  {
    name: 'write cap: the status can be changed during the release', file: 'packages/ports/src/config-store/connector-store.ts',
    find: "cap === 'releasing' || cap === 'settling' ?", replace: "cap === 'releasing' ?", notice: unit('memory-write-caps'),
  },
  {
    name: 'write cap: a create without an answer does not count', file: caps,
    find: 'result.ok || (!repeatable && mayHaveLanded.has(result.code))', replace: 'result.ok', notice: unit('crm-writer/src/calls/write-caps'),
  },
  {
    name: 'write cap: what may not be written is sent', file: caps,
    find: '!unit.capped || reservations.has(unit.connectorId)', replace: 'true', notice: unit('crm-writer/src/calls/write-caps'),
  },
  {
    name: 'write cap: a refused event uses up an attempt', file: 'packages/contracts/src/outcomes/step-failure.ts',
    find: "= new Set(uncountedCodes)", replace: "= new Set(uncountedCodes.filter((code) => code !== 'write_cap_reached'))", notice: integration('admission/write-cap'),
  },
  {
    name: 'write cap: new events come in during the release', file: 'packages/connector-feed/src/stopped-reason.ts',
    find: "connector.status === 'active' ? null : 'write_cap'", replace: 'null', notice: unit('stopped-reason'),
  },
  {
    name: 'write cap: events do not run during the release', file: 'packages/connector-feed/src/stopped-reason.ts',
    find: "if (cap === 'releasing' || cap === 'settling') return null;", replace: '', notice: unit('stopped-reason'),
  },
  {
    name: 'write cap: older events in the log do not keep it from settling', file: 'services/config-api/src/features/connectors/write-cap/write-cap-worker.ts',
    find: 'since <= released &&', replace: 'since < released &&', notice: unit('write-cap-worker'),
  },
];

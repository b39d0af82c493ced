/** What is told of events that wait. */
const status = { project: 'unit', pattern: 'status/event-status' };
const stores = { project: 'integration', pattern: 'run-stores' };
const records = { project: 'integration', pattern: 'features/records/records.integration' };

export default [
  {
    name: 'held: a status does not say what the last attempt said',
    file: 'services/ingest-api/src/status/event-status.ts',
    find: 'error, error_code: errorCode };',
    replace: 'error: null, error_code: errorCode };',
    notice: status,
  },
  {
    name: 'held: the code of the last failure is not stored',
    file: 'packages/adapters/store-postgres/src/run/settle/settle-held.ts',
    find: '  last_error_code: held.lastErrorCode,',
    replace: '  last_error_code: null,',
    notice: stores,
  },
  {
    name: 'held: the code of the last failure is not kept with the event',
    file: 'services/flow-runner/src/units/verdicts/verdict.ts',
    find: 'lastErrorCode: failure.code,',
    replace: '',
    notice: { project: 'unit', pattern: 'units/verdict' },
  },
  {
    name: 'held: the rows of an end do not count as text that is read',
    file: 'packages/adapters/store-postgres/src/run/read-held.ts',
    find: ' + coalesce(octet_length(ending::text), 0)',
    replace: '',
    notice: stores,
  },
  {
    name: 'held: a list goes on at its start',
    file: 'packages/adapters/store-postgres/src/records/list-held.ts',
    find: 'const from = [connectorId, ...(cursors.read(query.cursor) ?? start)];',
    replace: 'const from = [connectorId, ...(cursors.read(undefined) ?? start)];',
    notice: records,
  },
  {
    name: 'held: a list names the events of other connectors',
    file: 'packages/adapters/store-postgres/src/records/list-held.ts',
    find: "WHERE connector_id = $1 AND (topic, partition, ordering_epoch, \"offset\", entity_index, run) > ($2, $3, $4, $5, $6, $7)\n      ORDER",
    replace: "WHERE ($1::uuid IS NOT NULL) AND (topic, partition, ordering_epoch, \"offset\", entity_index, run) > ($2, $3, $4, $5, $6, $7)\n      ORDER",
    notice: records,
  },
  {
    name: 'config: any credential may be the value of a secret header',
    file: 'packages/config-model/src/checks/check-publishable.ts',
    find: 'if (wanted !== null && type !== wanted) {',
    replace: 'if (wanted !== null && type === undefined) {',
    notice: { project: 'unit', pattern: 'config-model/src/checks/check-publishable' },
  },
];

/** Outcomes of records and their replays. */
const records = { project: 'integration', pattern: 'config-api/src/features/records' };
const runner = { project: 'integration', pattern: 'flow-runner/src/writing/forced-replay' };
const store = 'packages/adapters/store-postgres/src/records';

export default [
  {
    name: 'replay: a second one starts while one is in flight', file: `${store}/replay-record.ts`,
    find: 'if (!mark) return', replace: 'if (!mark && row === null) return', notice: records,
  },
  {
    name: 'replay: one that waits counts as lost', file: `${store}/replay-record.ts`,
    find: 'h.run = r.run))\n  RETURNING', replace: 'h.run = r.run AND false))\n  RETURNING', notice: records,
  },
  {
    name: 'replay: one that was not seen for a moment counts as lost', file: `${store}/replay-record.ts`,
    find: "$6::float8 * interval '1 millisecond'", replace: "$6::float8 * interval '1 microsecond'", notice: records,
  },
  {
    name: 'replay: a record that has arrived since is replayed', file: `${store}/replay-record.ts`,
    find: 'if (!again?.can_be_replayed) return', replace: 'if (false as boolean) return', notice: records,
  },
  {
    name: 'replay: a quarantined record needs no force', file: `${store}/replay-record.ts`,
    find: "row.status === 'quarantined' && !asked.force", replace: 'false as boolean', notice: records,
  },
  {
    name: 'replay: one that no broker acknowledged counts as accepted', file: 'services/config-api/src/features/records/post-replay.ts',
    find: "throw apiError('event_ingestion_unavailable');", replace: "return 'accepted';", notice: records,
  },
  {
    name: 'records: a row of another connector is shown', file: `${store}/get-record.ts`,
    find: 'WHERE id = $1 AND connector_id = $2`', replace: 'WHERE id = $1 AND $2::uuid IS NOT NULL`', notice: records,
  },
  {
    name: 'replay: the lane does not follow the ordering', file: 'packages/event-intake/src/plan-replay.ts',
    find: "if (connector.ordering === 'connector')", replace: 'if (false as boolean)',
    notice: { project: 'unit', pattern: 'event-intake/src/plan-replay' },
  },
  {
    name: 'replay: a forced one is superseded by newer data', file: 'services/flow-runner/src/units/attempts/attempt-unit.ts',
    find: 'guarded: !forced && (', replace: 'guarded: (', notice: runner,
  },
  {
    name: 'replay: the identity guard stops a forced one', file: 'packages/crm-writer/src/policies/identity-guard.ts',
    find: ' || unit.forced', replace: '', notice: runner,
  },
  {
    name: 'replay: the replay of an expired event expires at once', file: 'services/flow-runner/src/units/unit.ts',
    find: 'envelope.replayed_at ?? envelope.accepted_at', replace: 'envelope.accepted_at', notice: runner,
  },
  {
    name: 'replay: the stored payload goes by the age of its event',
    file: 'packages/event-replays/src/publish-replays.ts',
    find: 'if (stored && !(await blobs.renew(stored.key))) gone.push(source.row.id);\n    else byTopic',
    replace: 'byTopic',
    notice: { project: 'integration', pattern: 'features/records/records.integration' },
  },
  {
    name: 'replay: a renewed blob keeps its age',
    file: 'packages/adapters/blob-folder/src/create-folder-blob-store.ts',
    find: 'utimes(path, now, now)',
    replace: 'utimes(path, now, new Date(0))',
    notice: { project: 'integration', pattern: 'folder-blob-store' },
  },
];

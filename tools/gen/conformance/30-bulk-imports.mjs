/** Bulk imports. */
const tests = {
  budget: 'packages/crm-writer/src/session/budget-classes.test.ts',
  batches: 'packages/crm-writer/src/batching/coalescer-classes.test.ts',
  imports: 'services/config-api/src/features/imports/bulk-imports.integration.test.ts',
  'rows of imports': 'services/config-api/src/features/imports/test-support/import-row-tests.ts',
  store: 'packages/adapters/store-postgres/src/imports/import-store.integration.test.ts',
  rows: 'services/flow-runner/src/writing/import-rows.integration.test.ts',
  'new records': 'packages/crm-writer/src/new-records-of-imports.test.ts',
  lanes: 'services/flow-runner/src/intake/partition-intake.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Who gets the calls of a portal',
      rules: [
        ['Live events first, then replays, imports, verifications', 'budget what live work leaves over goes to replays before imports, and to imports before verifications'],
        ['Each has a guaranteed small share', 'budget each class goes on while live work uses everything up, and all together keep to the limit'],
        ['Live requests go first within a call, and others fill it', 'batches live requests go first, and others fill their call'],
        ['Rows of an import keep no live event of their record waiting', 'lanes lets what is not live have the class of the live events of its lane, while they are in hand'],
      ],
    },
    {
      title: 'Bulk imports',
      rules: [
        ['`POST /api/connectors/{connector_id}/bulk-imports`: JSON of at most 10,000 rows, or multipart `file` (csv, jsonl) with `mapping`; 202 with the job', 'rows of imports are stored before the answer, run in their order as events of their entity, and end with it'],
        ['`GET /api/connectors/{connector_id}/bulk-imports` and `GET /api/connectors/{connector_id}/bulk-imports/{import_id}`', 'imports lists imports newest first, and shows none of another connector or organization'],
        ['`GET /api/connectors/{connector_id}/bulk-imports/{import_id}/rows` by `status`, in pages: `{line, external_id, status, crm_id, error, error_code}`', 'rows of imports are told one by one, by status and in pages'],
        ['`POST /api/connectors/{connector_id}/bulk-imports/{import_id}/cancel`: rows that it stops are `skipped`, `cancelled`; 409 `job_ended`', 'imports stops rows that have not begun, once'],
        ['`POST /api/connectors/{connector_id}/bulk-imports/{import_id}/retry`: failed and parked rows by the active version; 409 `nothing_to_retry`, 409 `job_running`', 'imports runs failed and parked rows again, and the import is completed when none is left'],
        ['States of an import: `queued`, `running`, `held`, `completed`, `completed_with_errors`, `cancelled`, `failed`', 'imports holds an import that runs; rows that are held too long fail and can be tried again'],
        ['States of a row: `pending`, `held`, `completed`, `skipped`, `failed`, `parked`', 'store runs failed and parked rows again, in another turn'],
        ['Rows run the flow of `<entity>_synced`, or of `event_type`; one that no flow takes: 422', 'imports must be an entity of the active version, with a flow of the event API for its events'],
        ['409 `connector_not_published`; organization suspended: 423 `org_suspended`; paused: accepted, `held`', 'imports needs a published version, and an organization that is not stopped'],
        ['429 `quota_exceeded` for the whole import when its rows do not fit; they are reserved at once, what was not written is given back', 'imports fits into the month as a whole or not at all; what was not written is given back, and used is what was'],
        ['413 over 10 MiB of JSON or 2 GiB of file; 415 for another body; 422 at `file` and `mapping` before the 202', 'rows of imports are refused before the answer: no rows'],
        ['A row that cannot be read: `failed`, `invalid_row`, the rest goes on', 'rows of imports of a CSV: the column external_id and all others under their names, by physical lines'],
        ['A hundred rows that make new records are one CRM call', 'new records take one call for a hundred new records, and each is mapped and created'],
        ['Rows of one external id run in their order; a later live event wins', 'rows never overwrite what was accepted after their import, and run in their order'],
        ['A rebind during an import: its rows go to the new portal as other events do, those in hand too', 'rows whose connector is bound to another portal meanwhile are all written there, those in hand too'],
        ['An import whose last rows end while its connector is paused is `completed`, not `held`', 'imports lets an import end whose last rows had begun'],
        ['A row held longer than `SLUICE_HELD_ROW_TTL` (3 days) ends `failed`, `held_expired`', 'store is held and goes on, and rows that waited too long fail'],
        ['`rows_done + rows_failed + rows_skipped + rows_held` = `rows_total` at the end', 'store hands out rows in their order, each once, and what was handed out to whoever comes next'],
      ],
    },
  ],
};

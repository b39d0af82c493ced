/** Bulk imports. */
const tests = {
  budget: 'packages/crm-writer/src/budget-classes.test.ts',
  batches: 'packages/crm-writer/src/coalescer-classes.test.ts',
  lanes: 'services/flow-runner/src/runner/partition-intake.test.ts',
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
        ['`POST /api/connectors/{connector_id}/bulk-imports`: JSON of at most 10,000 rows, or multipart `file` (csv, jsonl) with `mapping`; 202 with the job', null],
        ['`GET /api/connectors/{connector_id}/bulk-imports` and `GET /api/connectors/{connector_id}/bulk-imports/{import_id}`', null],
        ['`GET /api/connectors/{connector_id}/bulk-imports/{import_id}/rows` by `status`, in pages: `{line, external_id, status, crm_id, error, error_code}`', null],
        ['`POST /api/connectors/{connector_id}/bulk-imports/{import_id}/cancel`: rows that it stops are `skipped`, `cancelled`; 409 `job_ended`', null],
        ['`POST /api/connectors/{connector_id}/bulk-imports/{import_id}/retry`: failed and parked rows by the active version; 409 `nothing_to_retry`, 409 `job_running`', null],
        ['States of an import: `queued`, `running`, `held`, `completed`, `completed_with_errors`, `cancelled`, `failed`', null],
        ['States of a row: `pending`, `held`, `completed`, `skipped`, `failed`, `parked`', null],
        ['Rows run the flow of `<entity>_synced`, or of `event_type`; one that no flow takes: 422', null],
        ['409 `connector_not_published`; organization suspended: 423 `org_suspended`; paused: accepted, `held`', null],
        ['429 `quota_exceeded` for the whole import when its rows do not fit; they are reserved at once, what was not written is given back', null],
        ['413 over 10 MiB of JSON or 2 GiB of file; 415 for another body; 422 at `file` and `mapping` before the 202', null],
        ['A row that cannot be read: `failed`, `invalid_row`, the rest goes on', null],
        ['Rows of one external id run in their order; a later live event wins', null],
        ['A row held longer than `SLUICE_HELD_ROW_TTL` (3 days) ends `failed`, `held_expired`', null],
        ['`rows_done + rows_failed + rows_skipped + rows_held` = `rows_total` at the end', null],
      ],
    },
  ],
};

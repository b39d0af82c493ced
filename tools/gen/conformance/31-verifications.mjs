/** Verifications of many records, and the list of historical jobs. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'Verification jobs',
      rules: [
        ['`POST /api/connectors/{connector_id}/verifications`: exactly one of `sample`, `external_ids` (1 to 1,000), `since`; 202 with the job', null],
        ['`GET /api/connectors/{connector_id}/verifications`, `GET /api/connectors/{connector_id}/verifications/{verification_id}`', null],
        ['`GET /api/connectors/{connector_id}/verifications/{verification_id}/rows`: `matched`, `mismatched`, `missing`, `not_verifiable`, with the properties that differ', null],
        ['`POST /api/connectors/{connector_id}/verifications/{verification_id}/cancel`', null],
        ['`POST /api/connectors/{connector_id}/verifications/{verification_id}/repair`: 202 with a replay job of the mismatched ones; 409 `nothing_to_repair`, 409 `job_running`', null],
        ['States of a verification: `queued`, `running`, `completed`, `failed`, `cancelled`', null],
        ['Expected is the last landed write of each property, compared by its type', null],
        ['It writes nothing, makes no record rows and does not count toward the quota', null],
        ['A credential that is refused for good: `failed` with `error`, nothing is called missing', null],
      ],
    },
    {
      title: 'Historical jobs',
      rules: [
        ['`GET /api/connectors/{connector_id}/sync-jobs`: `{items, total}`, empty; `limit` 20, above 100: 422', null],
      ],
    },
  ],
};

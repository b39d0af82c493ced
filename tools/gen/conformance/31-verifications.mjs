/** Verifications of many records, and the list of historical jobs. */
const tests = {
  'sync jobs': 'services/config-api/src/features/monitoring/monitoring.integration.test.ts',
  verifications: 'services/config-api/src/features/verifications/verifications.integration.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Verification jobs',
      rules: [
        ['`POST /api/connectors/{connector_id}/verifications`: exactly one of `sample`, `external_ids` (1 to 1,000), `since`; 202 with the job', 'verifications asks for exactly one kind of records: nothing'],
        ['`GET /api/connectors/{connector_id}/verifications`, `GET /api/connectors/{connector_id}/verifications/{verification_id}`', 'verifications lists verifications newest first, and shows none of another connector or organization'],
        ['`GET /api/connectors/{connector_id}/verifications/{verification_id}/rows`: `matched`, `mismatched`, `missing`, `not_verifiable`, with the properties that differ', 'verifications compares records with the CRM, by what their last events wrote'],
        ['`POST /api/connectors/{connector_id}/verifications/{verification_id}/cancel`', 'verifications is cancelled once, and not repaired while it runs'],
        ['`POST /api/connectors/{connector_id}/verifications/{verification_id}/repair`: 202 with a replay job of the mismatched ones; 409 `nothing_to_repair`, 409 `job_running`', 'verifications repairs what differs by a replay of the events that wrote it'],
        ['States of a verification: `queued`, `running`, `completed`, `failed`, `cancelled`', 'verifications repeats what the CRM could not answer, and calls nothing missing when the credential is refused'],
        ['Expected is the last landed write of each property, compared by its type', 'verifications expects of each property what was written last; failed events are no expectation'],
        ['Records of an entity that a later step of a flow writes are compared too', 'verifications compares records that a later step of a flow wrote, and repairs them by a replay of its event'],
        ['It writes nothing, makes no record rows and does not count toward the quota', 'verifications compares records with the CRM, by what their last events wrote'],
        ['A credential that is refused for good: `failed` with `error`, nothing is called missing', 'verifications repeats what the CRM could not answer, and calls nothing missing when the credential is refused'],
      ],
    },
    {
      title: 'Historical jobs',
      rules: [
        ['`GET /api/connectors/{connector_id}/sync-jobs`: `{items, total}`, empty; `limit` 20, above 100: 422', 'sync jobs sync-jobs is a list of none, with its own limits'],
      ],
    },
  ],
};

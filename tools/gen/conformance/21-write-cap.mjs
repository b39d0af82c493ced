/** The write cap of a connector's first sync. */
const tests = {
  imports: 'services/config-api/src/features/imports/bulk-imports.integration.test.ts',
  cap: 'services/config-api/src/features/connectors/write-cap/write-cap.integration.test.ts',
  'cap store': 'packages/ports/src/testing/config-store/write-cap-conformance.ts',
  'cap worker': 'services/config-api/src/features/connectors/write-cap/write-cap-worker.test.ts',
  'cap in the runner': 'services/flow-runner/src/admission/write-cap.integration.test.ts',
  'stopped reason': 'packages/connector-feed/src/stopped-reason.test.ts',
  'cap e2e': 'test-e2e/src/write-cap.e2e.test.ts',
};
const toReleased = 'from tripped to released: who may release it, and what a change of the status is answered meanwhile';

export const part = {
  tests,
  sections: [
    {
      title: 'First-sync write cap',
      rules: [
        ['`write_cap {state, limit, tripped_writes, tripped_at}` of a connector: `armed`, `tripped`, `releasing`, `settling`, `released`', `cap ${toReleased}`],
        ['It is decided once, at the first publish, where the organization has `write_cap_review`; null otherwise, for Enterprise, and before the first publish', 'cap the first publish arms it where the organization has the review; others have none'],
        ['armed to tripped: the connector has written `SLUICE_WRITE_CAP` (500) records; the status is `paused`, or stays `error`', 'cap store pauses the connector with the write that reaches the limit'],
        ['At most one CRM batch lands past the cap, also with many runners; `tripped_writes` says how many records were written', 'cap in the runner lets two runners together write at most one batch more, holds the rest untried, and sends it in order'],
        ['While tripped: 423 on the event API; queued events are kept and report `pending`; webhook calls are accepted and kept', 'cap e2e pauses after the first records, keeps what comes, and sends it in order after the release'],
        ['The other services hear of a cap that trips, settles or opens at once, as of a change through a route', 'cap worker a cap that trips is published at once'],
        ['While tripped rows of imports are held', 'imports takes imports, whose rows are held; those that are held too long fail and can be tried again'],
        ['`POST /api/connectors/{connector_id}/write-cap/release`: an owner who is signed in; anybody else 403 `owner_required`', `cap ${toReleased}`],
        ['409 `write_cap_not_tripped` where there is nothing to release', `cap ${toReleased}`],
        ['releasing to settling: every held event was sent again', 'cap store settles once no event waits because of it, and opens after the settling time'],
        ['releasing to settling: also what was accepted before and still lay in the log', 'cap worker older events of the connector lie in the log'],
        ['settling to released: within `SLUICE_CAP_SETTLING` (60 s)', 'cap store settles once no event waits because of it, and opens after the settling time'],
        ['released: `active` again from paused; the cap never pauses the connector again', 'cap in the runner does not count, and never stops, what comes after the release'],
        ['released: `error` stays', 'cap store leaves an error as it is, when it trips and when it opens'],
        ['`PATCH` of the status: 409 `write_cap_release_required` before the release, 409 `write_cap_resume_in_progress` while releasing and settling', `cap ${toReleased}`],
        ['The preflight says how many records a first sync of what waits would write', 'cap the preflight says how many records a first sync of what waits would write'],
        ['A row of an import that is held longer than `SLUICE_HELD_ROW_TTL` (3 days) ends `failed`, `held_expired`, and can be replayed', 'imports takes imports, whose rows are held; those that are held too long fail and can be tried again'],
      ],
    },
  ],
};

/** The write cap of a connector's first sync. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'First-sync write cap',
      rules: [
        ['`write_cap {state, limit, tripped_writes, tripped_at}` of a connector: `armed`, `tripped`, `releasing`, `settling`, `released`', null],
        ['It is decided once, at the first publish, where the organization has `write_cap_review`; null otherwise, for Enterprise, and before the first publish', null],
        ['armed to tripped: the connector has written `SLUICE_WRITE_CAP` (500) records; at most one CRM batch lands past the cap, `tripped_writes` says how many did; the status is `paused`, or stays `error`', null],
        ['While tripped: 423 on the event API; webhook calls are accepted and kept; queued events are kept; rows of imports are held', null],
        ['`POST /api/connectors/{connector_id}/write-cap/release`: an owner who is signed in; anybody else 403 `owner_required`', null],
        ['409 `write_cap_not_tripped` where there is nothing to release', null],
        ['releasing to settling: every held event was sent again; settling to released: within `SLUICE_CAP_SETTLING` (60 s)', null],
        ['released: `active` again from paused, `error` stays; the cap never pauses the connector again', null],
        ['`PATCH` of the status: 409 `write_cap_release_required` before the release, 409 `write_cap_resume_in_progress` while releasing and settling', null],
        ['A row of an import that is held longer than `SLUICE_HELD_ROW_TTL` (3 days) ends `failed`, `held_expired`, and can be replayed', null],
      ],
    },
  ],
};

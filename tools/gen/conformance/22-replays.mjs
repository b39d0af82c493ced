/** Replays of many records. A replay of one record is in 2-routes.mjs. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'Replay jobs',
      rules: [
        ['`POST /api/connectors/{connector_id}/replays`: 202 `{id, status, matched, replayed, skipped, failed, created_at}`; status `queued`, `running`, `completed`, `cancelled`, `failed`', null],
        ['`GET /api/connectors/{connector_id}/replays` and `GET /api/connectors/{connector_id}/replays/{replay_id}`: newest first, with `limit` (50, max 200) and `offset`', null],
        ['`POST /api/connectors/{connector_id}/replays/{replay_id}/cancel`: what has begun ends, nothing begins after the answer; again: 200; of an ended job: 409 `job_ended`', null],
        ['Exactly one of `filter` and `ids`: else 422; `filter: {}` is everything that can be replayed', null],
        ['`filter.status`: failed, parked, partial_success, dlq, quarantined, others 422; without it all, quarantined only with `force`', null],
        ['A quarantined record without `force` is matched and skipped', null],
        ['`filter` by flow, entity, external_ids, since (inclusive) and until (exclusive) of `created_at`', null],
        ['A record with several failing rows is matched once, by its newest row', null],
        ['`ids`: 1 to 1,000 rows of this connector; another id is 422 at `ids` and nothing runs; repeated ids count once', null],
        ['`dry_run` counts and runs nothing', null],
        ['`rate_per_second` 1 to 1,000, evenly spread', null],
        ['`matched = replayed + skipped + failed` when completed; `failed` are those whose payload is not kept any more', null],
        ['Replays do not count toward the quota and run when it is used up', null],
        ['A record that was superseded by a newer write ends `skipped`, `superseded`; a later job does not match it', null],
        ['Two failed events of one record are replayed in the order of acceptance', null],
        ['A record that is being replayed, or has succeeded since, is skipped', null],
        ['Paused connector: accepted, the records wait. Deleted connector: 404', null],
        ['A status that is none, or a cursor that is none of ours: 422', null],
      ],
    },
  ],
};

/** Replays of many records. A replay of one record is in 2-routes.mjs. */
const feature = 'services/config-api/src/features/replays';
const tests = {
  replays: `${feature}/replays.integration.test.ts`,
  'replay worker': 'packages/event-replays/src/replay-worker.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Replay jobs',
      rules: [
        ['`POST /api/connectors/{connector_id}/replays`: 202 `{id, status, matched, replayed, skipped, failed, created_at}`; status `queued`, `running`, `completed`, `cancelled`, `failed`', 'replays replays what a filter matches, in the order of acceptance, and ends when all of it has ended'],
        ['`GET /api/connectors/{connector_id}/replays` and `GET /api/connectors/{connector_id}/replays/{replay_id}`: newest first, with `limit` (50, max 200) and `offset`', 'replays lists jobs newest first, and shows none of another connector or organization'],
        ['`POST /api/connectors/{connector_id}/replays/{replay_id}/cancel`: what has begun ends, nothing begins after the answer; again: 200', 'replays after a cancel nothing begins; what has begun ends'],
        ['Cancel of an ended job: 409 `job_ended`', 'replays a job that has ended cannot be cancelled'],
        ['Exactly one of `filter` and `ids`: else 422; `filter: {}` is everything that can be replayed', 'replays needs a filter or ids, not both'],
        ['`filter.status`: failed, parked, partial_success, dlq, quarantined, others 422; without it all, quarantined only with `force`', 'replays quarantined records are replayed with force alone'],
        ['A quarantined record without `force` is matched and skipped', 'replays quarantined records are replayed with force alone'],
        ['`filter` by flow, entity, external_ids, since (inclusive) and until (exclusive) of `created_at`', 'replays a filter by accept time: since inclusive, until exclusive'],
        ['A record with several failing rows is matched once, by its newest row', 'replays a record with several failing runs is matched once, by its newest row; one that was superseded since is not'],
        ['`ids`: 1 to 1,000 rows of this connector; another id is 422 at `ids` and nothing runs; repeated ids count once', 'replays ids name rows, each once; a job with an unknown one is refused whole'],
        ['`dry_run` counts and runs nothing', 'replays a dry run starts nothing'],
        ['`rate_per_second` 1 to 1,000, evenly spread', 'replay worker spreads a rate evenly, without a burst at the start'],
        ['`matched = replayed + skipped + failed` when completed; `failed` are those whose payload is not kept any more', 'replays a record whose payload is gone failed'],
        ['Replays do not count toward the quota and run when it is used up', 'replays runs also when the quota of the month is used up'],
        ['A record that was superseded by a newer write ends `skipped`, `superseded`; a later job does not match it', 'replays a record with several failing runs is matched once, by its newest row; one that was superseded since is not'],
        ['Two failed events of one record are replayed in the order of acceptance', 'replays replays what a filter matches, in the order of acceptance, and ends when all of it has ended'],
        ['A record that is being replayed, or has succeeded since, is skipped', 'replays a record that is being replayed, or has succeeded since, is skipped'],
        ['Paused connector: accepted, the records wait', 'replay worker keeps to its window, and lets held records wait beside it up to a bound'],
        ['Deleted connector: 404, its job stops', 'replays a job of a deleted connector ends'],
        ['A job survives an outage of the log: nothing is started twice', 'replays a step that the log does not take is undone and done again, and nothing is started twice'],
        ['A job survives its process', 'replay worker counts what a predecessor left under way'],
        ['A status that is none, or a cursor that is none of ours: 422', 'replays needs a filter or ids, not both'],
      ],
    },
  ],
};

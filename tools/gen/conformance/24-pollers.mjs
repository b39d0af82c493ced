/** Sources that the service reads or starts itself by time: pollers and schedules. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'Pollers',
      rules: [
        ['`schedule` (cron) says when; an empty one polls with every tick of the worker (`SLUICE_WORKER_TICK`)', null],
        ['`items_path`: one event each; without it an object is one event, a list one each; paths are rooted at the element', null],
        ['`pagination` link_header, next_url, cursor, page, offset with `param`, `path`, `start`, `size_param`, `size`, `max_pages` (1000)', null],
        ['`cursor {param, path, initial}` is kept, and moves only when every page of a poll is queued; the last page\'s value wins', null],
        ['`emit`: all, or changed (by a hash of the content per external id)', null],
        ['Event type `<source>.polled` unless `event_type` or `event_type_path` says otherwise', null],
        ['Bearer, basic, API key and OAuth 2.0 client credentials through the credential; `auth_type` and `auth_header` as on `rest`', null],
        ['A failed poll waits twice as long each time, up to 300 s', null],
        ['`POST /api/connectors/{connector_id}/sources/{name}/poll`: 202, polls now, without the wait but for `Retry-After`', null],
        ['A page has at most 50 MB and 30 s', null],
        ['Ticks that were missed (paused, down) are not made up: one runs as soon as possible', null],
        ['Nothing is polled while the connector is paused', null],
        ['Events of a poller count toward the quota and are not refused', null],
        ['`last_poll_at`, `last_error` and `cursor` in `GET /api/connectors/{connector_id}/sources`', null],
      ],
    },
    {
      title: 'Schedules',
      rules: [
        ['`schedule` (cron), `timezone`, `payload`; event type `<source>.tick`', null],
        ['A tick runs once, however many processes there are; missed ones are not made up: one runs', null],
        ['Nothing runs while the connector is paused', null],
      ],
    },
  ],
};

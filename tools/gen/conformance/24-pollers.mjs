/** Sources that the service reads or starts itself by time: pollers and schedules. */
const tests = {
  pollers: 'services/journal-poller/src/reading/pollers.integration.test.ts',
  'reading a page': 'packages/sources/src/poller/read-poll.test.ts',
  turns: 'services/journal-poller/src/reading/next-reading.test.ts',
  limits: 'services/journal-poller/src/reading/poll-limits.integration.test.ts',
  intake: 'packages/event-intake/src/create-intake.test.ts',
  'source routes': 'services/config-api/src/features/sources/sources.integration.test.ts',
  'two processes': 'services/journal-poller/src/reading/two-pollers.integration.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Pollers',
      rules: [
        ['`schedule` (cron) says when; an empty one polls with every tick of the worker (`SLUICE_WORKER_TICK`)', 'pollers an empty schedule reads with every tick of the worker; a failure waits, and is told of'],
        ['`items_path` names the list or, with a wildcard, each of its elements', 'reading a page items_path that names its elements: one event each'],
        ['`items_path`: one event each; without it an object is one event, a list one each; paths are rooted at the element', 'pollers without items_path a list is one event each, an object is one; types and ids are read from the element'],
        ['`pagination` link_header, next_url, cursor, page, offset with `param`, `path`, `start`, `size_param`, `size`, `max_pages` (1000)', 'pollers pages by link_header are read to the last one'],
        ['`cursor {param, path, initial}` is kept, and moves only when every page of a poll is queued; the last page\'s value wins', 'pollers the cursor is sent, and moves only when every page of a poll is queued'],
        ['`emit`: all, or changed (by a hash of the content per external id)', 'pollers emit changed: only what differs from the last time, per external id'],
        ['Event type `<source>.polled` unless `event_type` or `event_type_path` says otherwise', 'pollers without items_path a list is one event each, an object is one; types and ids are read from the element'],
        ['Bearer, basic, API key and OAuth 2.0 client credentials through the credential; `auth_type` and `auth_header` as on `rest`', 'pollers bearer and basic go into Authorization'],
        ['A failed poll waits twice as long each time, up to 300 s', 'turns failures wait twice as long each time, up to 300 s, with the same tick; somebody who asks does not wait'],
        ['`POST /api/connectors/{connector_id}/sources/{name}/poll`: 202, polls now, without the wait but for `Retry-After`', 'pollers Retry-After is kept, whoever asks; without it somebody may ask at once'],
        ['A source that is not read by time: 400 `source_not_read`; one that is switched off: 409 `source_disabled`', 'source routes a source is polled now: 202; one that nothing reads, or that is off, is refused'],
        ['A next page at another origin is not called', 'pollers a page at another host is not called, whatever an answer names'],
        ['A page has at most 50 MB and 30 s', 'limits a page over 50 MB is refused'],
        ['Ticks that were missed (paused, down) are not made up: one runs as soon as possible', 'turns of ticks that were missed one is read, then the next one ahead'],
        ['Nothing is polled while the connector is paused', 'pollers nothing is read while the connector is paused or the source is off; what was asked for runs afterwards'],
        ['Events of a poller count toward the quota and are not refused', 'intake are refused as a whole and count nothing then, or are counted beyond the limit, or not at all'],
        ['`last_poll_at`, `last_error` and `cursor` in `GET /api/connectors/{connector_id}/sources`', 'source routes the list has the sources of the draft and of the active version, each with its state'],
      ],
    },
    {
      title: 'Schedules',
      rules: [
        ['`schedule` (cron), `timezone`, `payload`; event type `<source>.tick`', 'pollers a schedule is an event per tick at the time that it was due; ticks that were missed are made up by one'],
        ['A tick runs once, however many processes there are; missed ones are not made up: one runs', 'two processes ticks run once: of two processes that are killed again and again nothing is missed, and nothing read twice is a second event'],
        ['Nothing runs while the connector is paused', 'pollers nothing is read while the connector is paused or the source is off; what was asked for runs afterwards'],
      ],
    },
  ],
};

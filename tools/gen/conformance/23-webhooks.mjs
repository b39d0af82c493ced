/** Webhooks: what an external system may send, and how its calls are verified. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'Inbound webhooks',
      rules: [
        ['`POST /api/webhooks/{connector_id}/{name}`: 202 `{event_id, status: "processing"}`, `event_ids` when split', null],
        ['The signature is HMAC-SHA256 over the raw body (with a time header: `<timestamp>.<body>`), hex or base64, with or without `sha256=`, compared in constant time', null],
        ['`signature_scheme`: `plain`, `stripe` (`t=..,v1=..`), `svix` (`v1,<base64>` over `id.timestamp.body`, several in one header), `github` (`sha256=`)', null],
        ['401 `Invalid signature` when it is wrong or missing', null],
        ['A signed time is good for `signature_tolerance_seconds` (300), in both directions, in seconds or milliseconds', null],
        ['After a rotation only the new secret works', null],
        ['`event_type`, `event_type_path`, `event_type_header`; a missing event type: 422', null],
        ['`external_id_path`, `record_key_path`, `timestamp_path`', null],
        ['`split_path`: one event each; the element first, then the body; an empty list: 202, `event_ids: []`; no list: 422', null],
        ['`dedupe_header` and `dedupe_path`: the same value within 24 h is 202 with the first event id, and nothing is queued again; per source', null],
        ['JSON and form bodies; another content type: 415; an empty body: 400; JSON that is neither object nor list: 422; over 5 MiB: 413', null],
        ['Connector paused: 202, kept. Quota used up: 429 `quota_exceeded`. Breaker open: accepted and held', null],
        ['A source that is switched off: 410; a name that is no webhook, an unknown connector: 404', null],
        ['The rate is the organization\'s; calls without a good signature do not use it up', null],
      ],
    },
  ],
};

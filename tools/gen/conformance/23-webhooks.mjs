/** Webhooks: what an external system may send, and how its calls are verified. */
const webhooks = 'services/ingest-api/src/webhooks';
const sources = 'packages/sources/src/webhook';

const tests = {
  calls: `${webhooks}/accept-webhook.test.ts`,
  'refused calls': `${webhooks}/webhook-handler.test.ts`,
  'repeated calls': `${webhooks}/known-events.test.ts`,
  'published webhooks': `${webhooks}/published-webhooks.test.ts`,
  senders: `${webhooks}/real-senders.test.ts`,
  signatures: `${sources}/verify-call.test.ts`,
  'reading calls': `${sources}/read-call.test.ts`,
  keys: 'packages/service-parts/src/webhook-keyring.test.ts',
  'stopped flows': 'services/ingest-api/src/accept/stopped-flows.test.ts',
  'source routes': 'services/config-api/src/features/sources/sources.integration.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Inbound webhooks',
      rules: [
        ['`POST /api/webhooks/{connector_id}/{source_name}`: 202 `{event_id, status: "processing"}`, `event_ids` when split', 'calls becomes an event of the source: 202 once it is in the log'],
        ['The signature is HMAC-SHA256 over the raw body (with a time header: `<timestamp>.<body>`), hex or base64, with or without `sha256=`, compared in constant time', 'signatures any body and any secret: the right signature passes'],
        ['`signature_scheme`: `plain`, `stripe` (`t=..,v1=..`), `svix` (`v1,<base64>` over `id.timestamp.body`, several in one header), `github` (`sha256=`)', 'senders a signed event'],
        ['At most ten signatures of a header are compared', 'signatures behind ten others is not compared'],
        ['401 `Invalid signature` when it is wrong or missing', 'refused calls without a signature'],
        ['Nothing of an unknown sender is unpacked or parsed', 'refused calls unsigned and malformed'],
        ['A signed time is good for `signature_tolerance_seconds` (300), in both directions, in seconds or milliseconds', 'signatures is good for the tolerance in both directions'],
        ['A call that is repeated with its signed time is recognized', 'repeated calls signed with the same time is recognized, signed with another one it is not'],
        ['After a rotation only the new secret works', 'published webhooks a new secret works at once, also before the topic tells of it, and then the old one does not'],
        ['`event_type`, `event_type_path`, `event_type_header`; a missing event type: 422', 'refused calls without the type that its source reads: 422 that names the place'],
        ['`external_id_path`, `record_key_path`, `timestamp_path`', 'reading calls has what the paths of its config find'],
        ['`split_path`: one event each; the element first, then the body; an empty list: 202, `event_ids: []`; no list: 422', 'reading calls reads each element first, then the body'],
        ['`split_path` names the list or, with a wildcard, each of its elements', 'reading calls reads the elements also where split_path names each of them'],
        ['`split_path` takes 1,000 elements, and the paths of a call a bounded amount of work', 'reading calls is refused: too many elements'],
        ['`dedupe_header` and `dedupe_path`: the same value within 24 h is 202 with the first event id, and nothing is queued again; per source', 'repeated calls is the same event by its dedupe value, per source, and nothing is queued again'],
        ['JSON and form bodies; another content type: 415; an empty body: 400 `Empty body`; JSON that is neither object nor list: 422; over 5 MiB: 413', 'refused calls over 5 MiB: 413, before anything is checked'],
        ['Connector paused: 202, kept', 'calls in error'],
        ['Quota used up: 429 `quota_exceeded`; a split call counts as a whole', 'calls the quota counts the events of a call as a whole'],
        ['Breaker open: accepted and held', 'stopped flows a webhook call is accepted, a call of the legacy ingress is refused'],
        ['A source that is switched off: 410 `webhook_source_disabled`', 'refused calls to a source that is switched off: 410'],
        ['A name that is no webhook, an unknown source, an unknown connector: one 404', 'refused calls of an unknown connector, as of an unknown source'],
        ['The rate is the organization\'s; calls without a good signature do not use it up', 'calls verified calls count in the rate of the organization, others do not'],
        ['They have a budget of their own, per source and network', 'calls a stranger who calls too often is refused, at that source and from that network alone'],
        ['Calls are accepted while Postgres is down, for what is in memory', 'published webhooks calls go on for what is in memory while the database is away'],
        ['Secrets of webhooks have a keyring of their own: ingest-api needs no encryption keys', 'keys keys of their own come first, so that ingest-api needs no others'],
        ['`POST /api/webhooks/{connector_id}/{source_name}/{url_token}`, of a source without signatures: its URL holds a random part, and preflight warns (`webhook_without_signature`)', 'source routes the URL of a webhook without signatures ends with a random part'],
        ['Deliveries of GitHub, Stripe and Svix, signed by their own libraries, are accepted, and with one byte changed refused', 'senders a signed message with headers'],
      ],
    },
  ],
};

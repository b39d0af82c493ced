const intake = 'packages/event-intake/src';
const unit = (pattern) => ({ project: 'unit', pattern: `event-intake/src/${pattern}` });

export default [
  {
    name: 'ingest: requests under one key that come at the same moment are counted and published each',
    file: 'packages/ports/src/shared/single-flight.ts', find: 'if (!answer) {', replace: '{',
    notice: { project: 'unit', pattern: 'ingest-api/src/accept/idempotency' },
  },
  {
    name: 'ingest: webhook calls without a dedupe value are taken for repeats',
    file: 'services/ingest-api/src/webhooks/accept-webhook.ts', find: ' || values.includes(null)', replace: '',
    notice: { project: 'unit', pattern: 'ingest-api/src/webhooks/known-events' },
  },
  {
    name: 'intake: what was refused stays counted', file: `${intake}/create-intake.ts`,
    find: "if (refusal !== null && refusal.why !== 'unknown') await taken?.refund();", replace: '', notice: unit('create-intake'),
  },
  {
    name: 'intake: what may be in the log is not counted', file: `${intake}/create-intake.ts`,
    find: "refusal !== null && refusal.why !== 'unknown'", replace: 'refusal !== null', notice: unit('create-intake'),
  },
  {
    name: 'intake: what Sluice reads itself is refused beyond the quota', file: `${intake}/create-intake.ts`,
    find: "rule.quota === 'counted' ? 'always' : undefined", replace: 'undefined', notice: unit('create-intake'),
  },
  {
    name: 'intake: webhooks of a paused connector are refused', file: `${intake}/intake-rule.ts`,
    find: "delivery: { keptWhile: ['paused', 'write_cap']", replace: "delivery: { keptWhile: ['write_cap']", notice: unit('create-intake'),
  },
  {
    name: 'intake: readings count in the requests per second', file: `${intake}/create-intake.ts`,
    find: 'rule.rate ? rateLimit(connector)', replace: '(rule.rate || true) ? rateLimit(connector)', notice: unit('create-intake'),
  },
  {
    name: 'intake: changes of the CRM go into it', file: `${intake}/event-topic.ts`,
    find: "source === 'crm' ? eventsOutbound", replace: "source !== source ? eventsOutbound", notice: unit('create-intake'),
  },
  {
    name: 'agreed limits do not replace those of the plan', file: 'packages/contracts/src/limits/plan-limits.ts',
    find: 'if (limit !== undefined) limits[name]', replace: 'if (limit === null) limits[name]',
    notice: { project: 'unit', pattern: 'contracts/src/limits/(plan|volume)-limits' },
  },
  {
    name: 'the retry time of a full window of an hour is one second', file: 'packages/service-kit/src/limits/rate-window.ts',
    find: 'retryAfterMs: Math.min(resetMs, windowMs)', replace: 'retryAfterMs: 1_000',
    notice: { project: 'unit', pattern: 'service-kit/src/limits/rate-window' },
  },
  {
    name: 'replayed units say that they run for the first time', file: `${intake}/plan-units.ts`,
    find: '\n      run,\n      kind,\n      payload', replace: "run: 'first', kind: 'live', payload", notice: unit('plan-units'),
  },
  {
    name: 'units go to another topic than the one given', file: `${intake}/publish-units.ts`,
    find: 'bus.publish(topic.name, only.partition, [only])', replace: "bus.publish('events.inbound', only.partition, [only])",
    notice: unit('publish-units'),
  },
  { name: 'event id: the MAC does not cover the connector', file: `${intake}/event-id.ts`, find: "mac(bytes.toString('latin1', 0, macAt) + connectorId)", replace: "mac(bytes.toString('latin1', 0, macAt))", notice: unit('event-id') },
  { name: 'event id: a MAC of another key is accepted', file: `${intake}/event-id.ts`, find: '.subarray(0, macBytes), sealed)', replace: '.subarray(0, 0), sealed.subarray(0, 0))', notice: unit('event-id') },
  { name: 'event id: the end of a long key is cut off', file: `${intake}/mac.ts`, find: 'if (secret.length > blockBytes) throw', replace: 'if (secret.length > 2 * blockBytes) throw', notice: unit('mac') },
  { name: 'body: a chunked one has no limit', file: 'packages/service-kit/src/http/request/read-body.ts', find: 'if (size > limit) fail', replace: 'if (size > limit && request.headers[\'content-length\']) fail', notice: { project: 'unit', pattern: 'service-kit/src/http/request/read-body' } },
  { name: 'body: one byte over the limit passes', file: 'packages/service-kit/src/http/request/read-body.ts', find: 'if (size > limit) fail', replace: 'if (size > limit + 1) fail', notice: { project: 'unit', pattern: 'service-kit/src/http/request/read-body' } },
  { name: 'body: a compressed one may unpack to any size', file: 'packages/service-kit/src/http/request/read-body.ts', find: '{ maxOutputLength: allowed }', replace: '{ maxOutputLength: 2 ** 30 }', notice: { project: 'unit', pattern: 'service-kit/src/http/request/read-body' } },
];

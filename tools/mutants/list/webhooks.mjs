/** Ways to break webhooks and the legacy-compatible ingress that a test must notice. */
const ingest = 'services/ingest-api/src';
const sources = 'packages/sources/src/webhook';
const unit = (pattern) => ({ project: 'unit', pattern });
const webhooks = (file) => unit(`ingest-api/src/webhooks/${file}`);
const compat = (file) => unit(`ingest-api/src/compat/${file}`);
const signatures = unit('sources/src/webhook/verify-call');

export default [
  { name: 'webhooks: what decoding leaves of a secret is a key, however short', file: `${sources}/signature-scheme.ts`, find: 'decoded.length < leastKeyBytes', replace: 'decoded.length < 0', notice: signatures },
  { name: 'webhooks: a signature of any body is good', file: `${sources}/verify-call.ts`, find: 'mac(prefix, body)', replace: 'mac(prefix, body.subarray(0, 0))', notice: signatures },
  { name: 'webhooks: only the last signature of a header counts', file: `${sources}/verify-call.ts`, find: 'timingSafeEqual(expected, signature) || isRight', replace: 'timingSafeEqual(expected, signature)', notice: signatures },
  { name: 'webhooks: a signed time is good for ever', file: `${sources}/verify-call.ts`, find: 'return isRight && isTimely ?', replace: 'return isRight && (isTimely || true) ?', notice: signatures },
  { name: 'webhooks: a time in the future is good', file: `${sources}/verify-call.ts`, find: 'Math.abs(now - time)', replace: '(now - time)', notice: signatures },
  { name: 'webhooks: any number of signatures is compared', file: `${sources}/signature-scheme.ts`, find: 'texts.slice(0, maxSignatures)', replace: 'texts', notice: signatures },
  { name: 'webhooks: an empty URL token is good', file: `${sources}/verify-call.ts`, find: 'given.length === expected.length && timingSafeEqual(given, expected)', replace: 'timingSafeEqual(given, expected.subarray(0, given.length))', notice: signatures },
  { name: 'webhooks: the body is read before the element', file: `${sources}/read-call.ts`, find: 'isSplit ? [element, body] : [element]', replace: 'isSplit ? [body, element] : [element]', notice: unit('sources/src/webhook/read-call') },
  { name: 'webhooks: all elements of a call are the same event', file: `${sources}/read-call.ts`, find: 'const place = isSplit ? [index] : [];', replace: 'const place = isSplit ? [] : [];', notice: unit('sources/src/webhook/read-call') },
  { name: 'webhooks: paths may take any amount of work', file: `${sources}/read-call.ts`, find: 'steps: 200_000', replace: 'steps: 2e9', notice: unit('sources/src/webhook/read-call') },
  { name: 'webhooks: a call is unpacked before its signature is checked', file: `${ingest}/webhooks/webhook-handler.ts`, find: 'const body = await readSentBody(call.request, bodyLimit);', replace: "const { readBody } = await import('@sluice/service-kit'); const body = await readBody(call.request, bodyLimit);", notice: webhooks('accept-webhook') },
  { name: 'webhooks: a source that is switched off takes calls', file: `${ingest}/webhooks/webhook-handler.ts`, find: "if (!source.enabled) throw apiError('webhook_source_disabled');", replace: '', notice: webhooks('webhook-handler') },
  { name: 'webhooks: calls that are not verified are free', file: `${ingest}/webhooks/webhook-handler.ts`, find: 'unverified.spend(sourceKey(path), call.network(), sent.body.length);', replace: '', notice: webhooks('accept-webhook') },
  { name: 'webhooks: a stranger uses up the budget of all networks', file: `${ingest}/webhooks/unverified-budget.ts`, find: '`${source} ${network}`', replace: '`${source} ${network.length > 0}`', notice: webhooks('unverified-budget') },
  { name: 'webhooks: a new secret waits for the topic', file: `${ingest}/webhooks/webhook-handler.ts`, find: 'if (newest && second !== null) return', replace: 'if (newest && second !== null && false) return', notice: webhooks('published-webhooks') },
  { name: 'webhooks: a dedupe value counts for all sources of a connector', file: `${ingest}/webhooks/accept-webhook.ts`, find: '`${connector.connector_id}/${sourceName}`', replace: '`${connector.connector_id}`', notice: webhooks('known-events') },
  { name: 'webhooks: an event that was not queued counts as accepted', file: `${ingest}/webhooks/accept-webhook.ts`, find: 'assertTaken(deps, call, refusal);', replace: '', notice: webhooks('known-events') },
  { name: 'webhooks: what a connector has published is kept for ever', file: `${ingest}/sources/published-sources.ts`, find: 'if (!known || known.revision !== connector.revision || connector.deleted) return undefined;', replace: 'if (!known) return undefined;', notice: webhooks('published-webhooks') },
  { name: 'compat: a connector key opens it', file: `${ingest}/compat/authenticate-compat.ts`, find: "if (secret === undefined || secret === '') return null;", replace: "if (secret === undefined || secret === '' || String(secret).startsWith('slc_')) return { id: 'x' };", notice: compat('authenticate-compat') },
  { name: 'compat: failed authentications are not counted', file: `${ingest}/compat/failed-authentications.ts`, find: 'if (found === null) await failed(network);', replace: '', notice: compat('authenticate-compat') },
  { name: 'compat: guesses that are sent together are not counted in time', file: `${ingest}/compat/failed-authentications.ts`, find: '= [4, 1_000]', replace: '= [400, 1_000]', notice: compat('failed-authentications') },
  { name: 'compat: a call is queued before it is stored', file: `${ingest}/compat/compat-calls.ts`, find: 'events: [event], trace, before, stopped });', replace: 'events: [event], trace, stopped }); await before();', notice: compat('compat-calls') },
  { name: 'compat: a resend counts toward the quota', file: `${ingest}/compat/compat-calls.ts`, find: "rule: { ...intakeRules.request, quota: 'free' },", replace: 'rule: intakeRules.request,', notice: compat('compat-resend') },
  { name: 'compat: an action resends events of any type', file: `${ingest}/compat/compat-calls.ts`, find: '?.has(call.eventType)', replace: '', notice: compat('compat-resend') },
  { name: 'compat: an expired call is not found', file: `${ingest}/compat/compat-calls.ts`, find: "<= now()) throw compatError(410, 'callId expired')", replace: '<= now()) return null', notice: compat('compat-check') },
  { name: 'compat: every call goes to the replaced service', file: `${ingest}/sources/compiled-ingress.ts`, find: 'fallback && fallback.enabled !== false', replace: 'fallback', notice: compat('forward-compat') },
  { name: 'compat: an earlier run decides the status', file: `${ingest}/compat/compat-status.ts`, find: "name === run || (name !== 'first' && !name.startsWith('resend-'))", replace: 'name.length > 0 || run.length > 0', notice: compat('compat-status') },
];

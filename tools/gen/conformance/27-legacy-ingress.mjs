/** The legacy-compatible ingress. What its profile may say in a config is in 11-config-checks.mjs. */
const compat = 'services/ingest-api/src/compat';

const tests = {
  'compat calls': `${compat}/compat-calls.test.ts`,
  'compat keys': `${compat}/authenticate-compat.test.ts`,
  'compat check': `${compat}/compat-check.test.ts`,
  'compat resend': `${compat}/compat-resend.test.ts`,
  'compat fallback': `${compat}/forward-compat.test.ts`, 'compat status': `${compat}/compat-status.test.ts`,
  'failed authentications': `${compat}/failed-authentications.test.ts`, 'stopped flows': 'services/ingest-api/src/accept/stopped-flows.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Legacy-compatible ingress',
      rules: [
        ['`POST /api/v1/compat/{connector_id}/*path`: 200 `{result: "ok", callId}`', 'compat calls is stored and queued: 200 with its id'],
        ['Paths without regard to case and slashes', 'compat calls has no regard to case and slashes'],
        ['404 without a published profile', 'compat calls without a published profile, every path is 404'],
        ['`split: entities`: one event each, the item is its data; `none`: one event, the whole body is its data; `event_field` names the type', 'compat calls has its whole body as data where the route does not split'],
        ['201 with `No entities to process` as callId when `entities` is empty or absent; such an id cannot be checked', 'compat calls whose entities are'],
        ['400 for a body that is no object, `entities` that is no list of objects, a value that `events` does not have', 'compat calls entities that are no objects'],
        ['401 `Invalid <auth_header>`; a connector key is refused here', 'compat keys with a connector key'],
        ['A compat key is refused everywhere else', 'compat keys a compat key is good for nothing else'],
        ['404 `Not found` and `callId not found`, unless the fallback is on', 'compat check works while the connector is paused, and is 404 for ids of others and for invented ones'],
        ['429 with `Retry-After`: 20 failed authentications of an address in 15 minutes over ingest, check and resend, also with a good key then', 'compat keys lock their address after twenty over all paths'],
        ['Guesses that are sent together are counted', 'failed authentications guesses that are sent together are counted before the next ones are looked at'],
        ['429: the organization\'s rate', 'compat calls beyond the requests of a second'],
        ['429: the quota (`Monthly event quota exceeded`)', 'compat calls beyond the events of the month'],
        ['429: a flow that is open', 'stopped flows a webhook call is accepted, a call of the legacy ingress is refused'],
        ['423 while the connector is paused or the organization is stopped', 'compat calls while suspended'],
        ['500 `A maximum of <n> messages can be sent` over `max_entities`', 'compat calls too many entities'],
        ['503 `{result: service_unavailable, message, callId}` when some events could not be queued; a resend by the callId queues the rest', 'compat resend queues what was not queued, as the call that it was'],
        ['413 and every other error have the shape `{result: "error", message}`', 'compat calls too large'],
        ['`fallback`: key and body go to the legacy service, its answer comes back', 'compat fallback gets what Sluice does not know, with key and body, and its answer comes back'],
        ['502 when the fallback is down', 'compat fallback that does not answer is 502'],
        ['Calls count toward the quota, resends do not', 'compat resend does not count toward the quota'],
      ],
    },
    {
      title: 'Calls of the legacy ingress',
      rules: [
        ['`POST /api/v1/compat/{connector_id}/api/check/{callId}`: `{result, callId, createdAt, updatedAt, callRequest, callStatus, callError[]}`, from the first instant after the 200, also while paused', 'compat check answers from the first instant, with the body as it came'],
        ['`callStatus`: `InQueue` when all are queued, `InProgress` when any is queued or runs, else `Error` when any failed, else `Complete`', 'compat status a call of which none runs any more, and any has failed'],
        ['Queued or running for more than `SLUICE_COMPAT_STUCK_AFTER` (8 hours) is an error', 'compat status what is queued or runs for more than eight hours counts as an error'],
        ['`callError`: at most 500 of `{error, externalObjectId}`, `[{}]` when there is none', 'compat status errors name their records, at most 500'],
        ['`callRequest`: the envelope\'s fields and `entities` in order; for `none` the whole body', 'compat check answers from the first instant, with the body as it came'],
        ['`POST /api/v1/compat/{connector_id}/api/resend/{action}/{callId}` runs the stored events again; `updatedAt` moves', 'compat resend runs every record again, later than what is newer, and moves the time'],
        ['A resend that does not apply: 400', 'compat resend is 400 with'],
        ['After a resend the earlier run says nothing any more', 'compat status a resend counts anew'],
        ['410 `callId expired` after `SLUICE_COMPAT_RETENTION` (30 days)', 'compat check says that a call has expired, also once it is deleted'],
      ],
    },
  ],
};

/** The legacy-compatible ingress. What its profile may say in a config is in 11-config-checks.mjs. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'Legacy-compatible ingress',
      rules: [
        ['`POST /api/v1/compat/{connector_id}/<route path>`: 200 `{result: "ok", callId}`; without regard to case and slashes; 404 without a published profile', null],
        ['`split: entities`: one event each, the item is its data; `none`: one event, the whole body is its data', null],
        ['201 with `No entities to process` as callId when `entities` is empty or absent; such an id cannot be checked', null],
        ['400 for a body that is no object, `entities` that is no list of objects, a value that `events` does not have', null],
        ['401 `Invalid <auth_header>`; a compat key is refused everywhere else, a connector key here', null],
        ['404 `Not found` and `callId not found`, unless the fallback is on', null],
        ['429 with `Retry-After`: 20 failed authentications of an address in 15 minutes over ingest, check and resend, also with a good key then', null],
        ['429: the organization\'s rate, the quota (`Monthly event quota exceeded`), a flow that is open', null],
        ['423 while the connector is paused or the organization is stopped', null],
        ['500 `A maximum of <n> messages can be sent` over `max_entities`', null],
        ['503 `{result: service_unavailable, message, callId}` when some events could not be queued; a resend by the callId queues the rest', null],
        ['413 and every other error have the shape `{result: "error", message}`', null],
        ['`fallback`: key and body go to the legacy service, its answer comes back; 502 when it is down', null],
        ['Calls count toward the quota', null],
      ],
    },
    {
      title: 'Calls of the legacy ingress',
      rules: [
        ['`POST /api/v1/compat/{connector_id}/api/check/{callId}`: `{result, callId, createdAt, updatedAt, callRequest, callStatus, callError[]}`, from the first instant after the 200, also while paused', null],
        ['`callStatus`: `InQueue` when all are queued, `InProgress` when any is queued or runs, else `Error` when any failed, else `Complete`; queued or running for more than `SLUICE_COMPAT_STUCK_AFTER` (8 hours) is an error', null],
        ['`callError`: at most 500 of `{error, externalObjectId}`, `[{}]` when there is none', null],
        ['`callRequest`: the envelope\'s fields and `entities` in order; for `none` the whole body', null],
        ['`POST /api/v1/compat/{connector_id}/api/resend/{action}/{callId}` runs the stored events again; `updatedAt` moves; one that does not apply: 400', null],
        ['410 `callId expired` after `SLUICE_COMPAT_RETENTION` (30 days)', null],
      ],
    },
  ],
};

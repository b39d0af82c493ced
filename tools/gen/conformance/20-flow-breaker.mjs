/** The circuit breaker of a flow, and the health of a connector that follows from it. */
const tests = {
  'known breakers': 'services/config-api/src/features/connectors/with-known-breakers.test.ts',
  'flow breakers': 'services/config-api/src/features/connectors/flow-breakers.integration.test.ts',
  'connector health': 'services/config-api/src/features/connectors/connector-health.test.ts',
  'breaker rules': 'packages/ports/src/flow-breaker/breaker-rules.test.ts',
  'flow outcomes': 'services/flow-runner/src/units/verdicts/flow-outcome.test.ts',
  'breaker in the runner': 'services/flow-runner/src/admission/flow-breaker.integration.test.ts',
  'run stores': 'packages/ports/src/testing/run-store/run-store-flow-outcome-tests.ts',
  'stopped flows': 'services/ingest-api/src/accept/stopped-flows.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Flow circuit breaker',
      rules: [
        ['State per connector and flow: `closed`, `open`, `half_open`; the same in every process', 'run stores are noted with their settlements, and the answer says how their breakers are'],
        ['closed to open: 3 fatal outcomes in a row; the flow is left out, its queued events wait', 'breaker in the runner opens after three fatal attempts, and holds the events of the flow without a call'],
        ['closed to open: 5 records in a row use up their attempts without the flow writing anything; a record whose main write landed does not count', 'breaker rules opens after 5 records in a row that used up their attempts'],
        ['closed to open: more than half of at least 20 executions of the last two hours failed fatally, looked at every `SLUICE_BREAKER_CHECK` (300 s)', 'flow breakers the failure rate is checked again and again'],
        ['open to half_open: the wait of `SLUICE_BREAKER_WAITS` (5, 15, 45 minutes, then 6 hours) is over; one event, the oldest that is held, is the attempt and the rest wait for it', 'run stores the oldest event that is held for the flow and due is the recovery attempt'],
        ['half_open to closed: the attempt succeeds; the events that waited run in their order', 'breaker in the runner closes when the oldest held event succeeds as the recovery attempt, and runs the others'],
        ['half_open to open: the attempt fails; the wait grows', 'breaker in the runner opens for longer when the recovery attempt fails, and only that event is tried'],
        ['The wait starts again at 5 minutes after the flow was closed for `SLUICE_BREAKER_HEALTHY_RESET` (one hour)', 'breaker rules one healthy hour starts the waits again'],
        ['`POST /api/connectors/{connector_id}/flows/{flow_name}/retry` starts the attempt at once', 'flow breakers a retry makes the recovery attempt due; an unknown flow is 404'],
        ['Who has read that a flow is open, or has just closed it, meets an event API that knows: 429 at once, or 202', 'known breakers what is read of a breaker that opened just now waits for the event API', 'known breakers a breaker that is closed or tried by hand is known to the event API before the answer'],
        ['Setting the status of the connector to `active` closes the breaker of every flow', 'flow breakers setting the connector active closes every breaker'],
        ['Nothing else changes a breaker or a streak: no publish does', 'flow breakers a new version changes neither a breaker nor its streaks: only a write, a retry and an activation do'],
        ['A streak starts again only with an execution that wrote', 'breaker rules a streak starts again only when the flow wrote'],
        ['After closing, the failure rate leaves out everything up to and including the hour in which the breaker closed', 'breaker rules counts two hours, and nothing up to and including the hour in which the breaker closed'],
        ['No failures: a skipped execution, a `notify` that fails, a main write with a failed accessory step', 'flow outcomes an accessory step that failed'],
        ['No failure: an outcome `failed` that a plugin declares', 'flow outcomes a record that a plugin says the target refused'],
        ['429 `connector_flow_breaker_open` with `Retry-After` and `{error, connector_id, flows[{name, reason, detail, retry_after_seconds}], docs}`, only when every flow that the request reaches is open inside its wait; nothing is queued', 'stopped flows is refused with the flow, why it is stopped and when to send again'],
        ['Its `reason` is `fatal_streak`, `transient_exhausted_streak`, `failure_rate` or `manual`', 'stopped flows an operator stops a flow, and lets one go on'],
        ['Several entities of which some reach a healthy flow: 202, the others are held', 'stopped flows a request of which some entities reach another flow is accepted'],
        ['`hint`: every subscribed flow is open and ready for its attempt; the event is held', 'stopped flows is accepted and held once the wait has passed, with a hint'],
        ['`PUT /operator/connectors/{connector_id}/flows/{flow_name}/breaker`: an operator stops a flow, keeps it running, or leaves it to its breaker', 'flow breakers an operator stops a flow and lets it go on; a new version does not change that'],
        ['A retry, or the status `active`, ends what an operator stopped', 'flow breakers a user ends what an operator stopped: by a retry, or by setting the connector active'],
        ['The breaker comes after the quota and before 503 in the order of checks', 'stopped flows counts nothing in the quota, and is asked for after it'],
      ],
    },
    {
      title: 'Health of a connector',
      rules: [
        ['`healthy`, `degraded` (a flow is open or half_open), `error` (the status is `error` for another reason, or every enabled flow is open inside its wait), computed when read', 'flow breakers a stopped flow shows in the health of its connector, and in the list'],
        ['A flow of `health.flows[]` has name, state, reason, detail, opened_at, retry_after_at, cooldown_seconds (the whole wait of this opening) and opens (since the last healthy reset)', 'connector health shows every field of a stopped flow, and none of one that is not'],
      ],
    },
  ],
};

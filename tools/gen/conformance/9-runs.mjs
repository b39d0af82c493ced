/** What became of events and records, and the places other than the runner in which flows run. */
const units = 'services/flow-runner/src/units';

const tests = {
  'event status': 'services/ingest-api/src/status/event-status.test.ts',
  'deleted connector': 'services/flow-runner/src/runner/deleted-connector.integration.test.ts',
  outcomes: `${units}/record-outcomes.test.ts`,
  verdict: `${units}/verdict.test.ts`,
  'crash watch': 'services/flow-runner/src/crash-watch/crash-watch.test.ts',
  'run of a flow': 'packages/flow-run/src/run-flow.test.ts',
  'bounded value': 'packages/flow-run/src/bounded-value.test.ts',
  secrets: 'packages/flow-run/src/secret-mask.test.ts',
  records: 'services/config-api/src/features/records/records.integration.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Outcomes of records',
      rules: [
        ['`completed`: the flow ran', 'outcomes completed: the flow wrote'],
        ['`skipped` with a reason: no flow is subscribed', 'outcomes skipped: no flow is subscribed'],
        ['`skipped`, reason `flow_disabled`', 'outcomes skipped: the flow is disabled'],
        ['`skipped` by a `skip` step, with its reason', 'outcomes skipped: a step says so'],
        ['`skipped` when no write was needed', 'outcomes skipped: no step applied'],
        ['`failed`: a permanent error before anything was written; not retried', 'outcomes failed: a permanent error'],
        ['`parked`: a transient failure used up the five attempts and nothing was written', 'outcomes parked: five attempts failed in passing'],
        ['`partial_success`: the main write landed, a later step did not', 'outcomes partial_success: an accessory step failed'],
        ['`quarantined`: an identity guard refused the write', 'outcomes quarantined: an identity guard refused'],
        ['`quarantined`: the record was deleted in the CRM (`on_target_deleted`)', 'outcomes quarantined: the record was deleted'],
        ['`quarantined`, reason `crashed_runner`: in hand when its runner died three times', 'crash watch quarantines a unit'],
        ['`dlq`, reason `expired`: unprocessed after 14 days', 'outcomes dlq: the event waited longer'],
        ['A fatal failure holds the event and uses up no attempt', 'verdict holds the flow of the lane on a fatal failure'],
        ['`replayable` is true for failed, parked, partial_success, dlq and quarantined', 'outcomes completed: the flow wrote'],
        ['Rows name the config version that ran (`config_version`), also in an event\'s status', 'outcomes %s'],
        ['A row keeps a trace of each step: status, output, error, times, attempt', 'run of a flow keeps a trace of every step'],
        ['Traces are bounded and say what was cut', 'run of a flow keeps traces within their bound'],
        ['Secrets never show in traces, errors and reasons: masked by value', 'run of a flow keeps secrets out of outputs'],
        ['also in the forms in which they are sent', 'secrets as the user of basic authentication'],
      ],
    },
    {
      title: 'Status of an event',
      rules: [
        ['`processing` while accepted or running', "event status ['nothing reported'"],
        ['`pending` with `held {reason, until}` while it waits', 'event status names the reason of the unit that runs first'],
        ['`completed`, `skipped`, `partial_failure`, `failed` from its records', 'event status %s'],
        ['An only record that is parked or quarantined: `failed`', "event status ['the only one parked'"],
        ['An only record with `partial_success`: `partial_failure`', "event status ['the only one half done'"],
        ['`drained`: expired, or its connector was deleted', 'event status is drained once it has waited longer'],
        ['Held and queued events of a deleted connector end drained, without a call of the CRM', 'deleted connector held and queued events'],
        ['`delayed` past `SLUICE_STUCK_AFTER`', 'event status is delayed when nothing is reported past the deadline'],
        ['Rows with `entity_name`, `external_id`, `action`, `status`, `crm_id`, `error`, `replayable`, `sync_event_id`', 'event status the answer has the rows of the contract'],
        ['Hints: not subscribed, disabled, late', 'event status hints say why'],
      ],
    },
  ],
};

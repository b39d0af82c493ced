/** Flow breakers: the rules, the store, and what runners do with them. */
const rules = { project: 'unit', pattern: 'flow-breaker/breaker-rules' };
const outcome = { project: 'unit', pattern: 'flow-runner/src/units/verdicts/flow-outcome' };
const twin = { project: 'unit', pattern: 'testing/run-store/memory-run-store' };
const store = { project: 'integration', pattern: 'store-postgres/src/run-stores' };
const runner = { project: 'integration', pattern: 'flow-runner/src/admission/flow-breaker' };
const stopped = { project: 'unit', pattern: 'ingest-api/src/accept/stopped-flows' };
const ports = 'packages/ports/src/flow-breaker';
const flows = 'services/flow-runner/src';

export default [
  { name: 'breaker: an answer comes before the event API knows that it opened', file: 'services/config-api/src/features/connectors/with-known-breakers.ts', find: 'if (age < breakersKnownMs)', replace: 'if (age < 0)', notice: { project: 'unit', pattern: 'connectors/with-known-breakers' } },
  { name: 'breaker: two fatal outcomes open it', file: `${ports}/breaker-rules.ts`, find: 'fatalLimit = 3', replace: 'fatalLimit = 2', notice: rules },
  { name: 'breaker: any end of a flow starts the streaks again', file: `${ports}/breaker-rules.ts`, find: "    default:\n      return breaker;", replace: "    default:\n      return { ...breaker, fatalStreak: 0, exhaustedStreak: 0 };", notice: rules },
  { name: 'breaker: a wait that is over shows as open', file: `${ports}/flow-breaker.ts`, find: "return state === 'open' && !isOpenInsideWait(breaker, now) ? 'half_open' : state;", replace: 'return state;', notice: { project: 'unit', pattern: 'connectors/connector-health' } },
  { name: 'breaker: half of the executions is too much', file: `${ports}/breaker-rules.ts`, find: 'fatal * 2 > executions', replace: 'fatal * 2 >= executions', notice: rules },
  { name: 'breaker: a lost recovery attempt is waited for', file: `${ports}/breaker-rules.ts`, find: 'breaker.attempt.until <= now', replace: 'breaker.attempt.until <= 0', notice: rules },
  { name: 'breaker: what an operator forced can be tried', file: `${ports}/breaker-rules.ts`, find: 'breaker.forced !== null || ', replace: '', notice: rules },
  { name: 'breaker: an activation leaves what an operator opened', file: `${ports}/breaker-rules.ts`, find: "forced: breaker.forced === 'open' ? null : breaker.forced })", replace: 'forced: breaker.forced })', notice: rules },
  { name: 'breaker: a retry does nothing for what an operator opened', file: `${ports}/breaker-rules.ts`, find: "if (breaker.forced === 'open') {", replace: "if (breaker.forced === 'closed') {", notice: rules },
  { name: 'breaker: any held event may try first', file: `${ports}/breaker-rules.ts`, find: 'oldest === null || oldest === unit ||', replace: 'true ||', notice: twin },
  { name: 'breaker: outcomes of an old owner are noted', file: 'packages/adapters/store-postgres/src/run/settle/settle.ts', find: 'settleBreakers(client, kept, breakerSettings)', replace: 'settleBreakers(client, settlements, breakerSettings)', notice: store },
  { name: 'breaker: an event that is not due tries first', file: 'packages/adapters/store-postgres/src/breakers/oldest-held.ts', find: ' AND (s.due_at IS NULL OR s.due_at <= now())', replace: '', notice: store },
  {
    name: 'breaker: an event of a deleted connector takes the recovery attempt',
    file: `${flows}/admission/unit-admission.ts`,
    find: 'if (endsWithConnector(this.deps.directory, unit)) return true;',
    replace: '',
    notice: { project: 'unit', pattern: 'admission/unit-admission' },
  },
  {
    name: 'breaker: an event of a deleted connector waits for it',
    file: `${flows}/admission/start-rules.ts`,
    find: 'if (endsWithConnector(directory, unit)) return null;',
    replace: '',
    notice: { project: 'unit', pattern: 'admission/unit-admission' },
  },
  {
    name: 'breaker: a recovery attempt that has expired keeps its turn',
    file: `${flows}/units/attempts/attempt-unit.ts`,
    find: "error: 'the event waited longer than events are kept' },\n      endedFlowOf(unit));",
    replace: "error: 'the event waited longer than events are kept' },\n      null);",
    notice: runner,
  },
  { name: 'breaker: a failed accessory step counts', file: `${flows}/units/verdicts/flow-outcome.ts`, find: "return outcome.wrote ? 'wrote' : 'exhausted';", replace: "return 'exhausted';", notice: outcome },
  { name: 'breaker: a portal without calls counts', file: `${flows}/units/verdicts/flow-outcome.ts`, find: "if (isUncounted(outcome.failure.code)) return 'undecided';", replace: '', notice: outcome },
  { name: 'breaker: every held event tries', file: `${flows}/admission/flow-breakers.ts`, find: 'return this.deps.store.claimAttempt(connectorId, flowName, unit.keyText, attemptMs);', replace: 'return true;', notice: runner },
  { name: 'breaker: events of a stopped flow run', file: `${flows}/admission/flow-breakers.ts`, find: "    if (!breaker || flowName === null) return null;\n    const now", replace: "    if (breaker || flowName === null) return null;\n    const now", notice: runner },
  { name: 'breaker: held events are not woken when it closes', file: `${flows}/runner/create-runner.ts`, find: 'if (mayGoOn(breaker, deps.storeTime.now()))', replace: 'if (false)', notice: runner },
  { name: 'breaker: a scope that was held under an open breaker waits on in another runner', file: `${flows}/held/partition-scopes.ts`, find: 'return waits && !this.isStopped(connectorId, scope.flowName) ? null : dueAt;', replace: 'return dueAt;', notice: { project: 'unit', pattern: 'flow-runner/src/held/partition-scopes' } },
  { name: 'breaker: a request is refused when one of its flows is stopped', file: 'services/ingest-api/src/accept/stopped-flows.ts', find: 'if (!breaker || !isOpenInsideWait(breaker, now)) return null;', replace: 'if (!breaker || !isOpenInsideWait(breaker, now)) continue;', notice: stopped },
];

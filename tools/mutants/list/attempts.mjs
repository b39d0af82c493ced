/** What an attempt leaves for the next one. */
const keptSteps = { project: 'unit', pattern: 'flow-run/src/kept-steps' };
const signature = { project: 'unit', pattern: 'step-signature' };
const between = { project: 'integration', pattern: 'units/between-attempts' };
const machine = { project: 'unit', pattern: 'step-machine' };
const stores = { project: 'integration', pattern: 'run-stores' };
const kept = 'packages/flow-run/src/kept-steps.ts';

export default [
  {
    name: 'attempts: what was found in the old portal counts in the new one',
    file: kept,
    find: 'epoch === null || epoch === binding;',
    replace: 'true || epoch === null || epoch === binding;',
    notice: keptSteps,
  },
  {
    name: 'attempts: the items of another action or entity count as ended',
    file: kept,
    find: 'before.about !== signature.about',
    replace: 'before.about === null',
    notice: keptSteps,
  },
  {
    name: 'attempts: the output of a changed step counts',
    file: kept,
    find: 'before.authored === signature.authored ? before.output : null',
    replace: 'before.output',
    notice: keptSteps,
  },
  {
    name: 'attempts: outputs are kept before anything can have taken effect',
    file: kept,
    find: "status === 'failed' && failure?.kind === 'transient' && !withoutEffect.has(failure.code)",
    replace: "status === 'failed' && failure !== null",
    notice: keptSteps,
  },
  {
    name: 'attempts: a write without an answer counts as none',
    file: kept,
    find: "  if (wrote) return true;\n",
    replace: '  return wrote;\n',
    notice: keptSteps,
  },
  {
    name: 'attempts: kept outputs have no bound',
    file: kept,
    find: 'JSON.stringify(output).length <= characters ? output : null',
    replace: 'JSON.stringify(output).length <= Infinity + characters ? output : null',
    notice: keptSteps,
  },
  {
    name: 'attempts: an item of a list that is open counts as ended',
    file: kept,
    find: ".filter(({ status }) => status !== 'open')",
    replace: '',
    notice: keptSteps,
  },
  {
    name: 'attempts: the object type of an entity is no part of a step',
    file: 'packages/flow-engine/src/step-signature.ts',
    find: '...named.map((name) => name ?? null), ...objectTypes,',
    replace: '...named.map((name) => name ?? null),',
    notice: signature,
  },
  {
    name: 'attempts: later steps see what a repeat finds',
    file: 'packages/flow-run/src/run-flow.ts',
    find: 'return isOther ? outcome : { ...outcome, output: before.output };',
    replace: 'return outcome;',
    notice: between,
  },
  {
    name: 'attempts: a record that was made anew is told as the first one',
    file: 'packages/flow-run/src/run-flow.ts',
    find: "typeof id === 'string' && id !== before.output['crm_id']",
    replace: 'false',
    notice: between,
  },
  {
    name: 'attempts: a receiver is told at each attempt',
    file: 'packages/flow-run/src/run-flow.ts',
    find: "repeat === 'kept' && before?.output ? done(before.output) : null",
    replace: 'null',
    notice: between,
  },
  {
    name: 'attempts: an outcome does not name its binding',
    file: 'services/flow-runner/src/runner/unit-processor.ts',
    find: 'if (binding !== null && isEnd) settlement.bindingEpoch = binding;',
    replace: '',
    notice: between,
  },
  {
    name: 'attempts: a unit that is refused because of its binding counts as settled',
    file: 'services/flow-runner/src/runner/unit-processor.ts',
    find: "if (settled.rebound) return { kind: 'again' };",
    replace: '',
    notice: between,
  },
  {
    name: 'attempts: the store takes outcomes of any binding',
    file: 'packages/adapters/store-postgres/src/run/settle.ts',
    find: 'bindingEpoch !== undefined && bindings.get(connectorId) !== bindingEpoch;',
    replace: 'bindingEpoch === -1;',
    notice: stores,
  },
  {
    name: 'attempts: a flow that was disabled after a write ends as skipped',
    file: 'services/flow-runner/src/units/not-run.ts',
    find: 'wrote && untouched.has(facts.status) ? halfDone(facts) : {}',
    replace: '{}',
    notice: between,
  },
  {
    name: 'attempts: a flow that expired after a write ends as undelivered',
    file: 'services/flow-runner/src/units/verdict.ts',
    find: "status: outcome.wrote ? 'partial_success' : 'dlq', reason: 'expired'",
    replace: "status: 'dlq', reason: 'expired'",
    notice: { project: 'unit', pattern: 'units/verdict' },
  },
  {
    name: 'outcome: a link that was written beside a record without a change ends as skipped',
    file: 'packages/flow-engine/src/step-machine.ts',
    find: '  if (!state.wrote) return concludeNothingWritten(flow, state);',
    replace: '  if (!doneWith(state, \'write\').some(({ wrote }) => wrote)) return concludeNothingWritten(flow, state);',
    notice: machine,
  },
  {
    name: 'outcome: a superseded event whose association landed ends as completed',
    file: 'packages/flow-engine/src/step-machine.ts',
    find: "return isSuperseded(state) ? { status: 'skipped', reason: 'superseded' } : { status: 'completed' };",
    replace: "return { status: 'completed' };",
    notice: machine,
  },
];

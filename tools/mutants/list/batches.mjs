/** Mutants of batches of writes: what they wait for, what is left out of them, and what their units are told. */
const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  {
    name: 'a record of another portal counts as the deleted one that had its id', file: 'packages/crm-writer/src/state/mapping-lookup.ts',
    find: ' && known.portalId === portalId', replace: '', notice: unit('crm-writer/src/state/mapping-lookup'),
  },
  {
    name: 'a guarded write does not wait for one by its identity value', file: 'packages/crm-writer/src/writing/record-sender.ts',
    find: 'unit.guarded ? this.aloneOnValue(write, judged) : judged()', replace: 'judged()', notice: unit('crm-writer/src/writing/upsert-record'),
  },
  {
    name: 'a part of a halved batch is told of with the whole', file: 'packages/crm-writer/src/calls/record-calls.ts',
    find: 'if (part.length < writes.length) tellHeard(part, results);', replace: '', notice: unit('crm-writer/src/calls/record-calls'),
  },
  {
    name: 'what was overtaken since the first sending is in a part', file: 'packages/crm-writer/src/calls/batch-outcome.ts',
    find: 'const answers = leftOut ? inputs.map(leftOut) : [];', replace: 'const answers: (CallFailure | null)[] = [];',
    notice: unit('crm-writer/src/calls/record-calls'),
  },
  {
    name: 'no batch starts while a unit that has ended has a call under way', file: 'packages/crm-writer/src/batching/activity.ts',
    find: 'active <= 0', replace: 'active === 0', notice: unit('crm-writer/src/batching/activity'),
  },
  {
    name: 'convoys: their rest waits for their full calls', file: 'packages/crm-writer/src/batching/coalescer.ts',
    find: '(this.mayStart(1) || this.isRestOfConvoys())', replace: 'this.mayStart(1)', notice: unit('crm-writer/src/(crm-writer|batching/coalescer)'),
  },
  {
    name: 'convoys: one is sent in many partial calls', file: 'packages/crm-writer/src/batching/coalescer.ts',
    find: '!isFull || convoys.has(null)', replace: 'convoys.has(null)', notice: unit('crm-writer/src/batching/coalescer'),
  },
  {
    name: 'convoys: records of lanes of their own do not fill the next call', file: 'packages/crm-writer/src/batching/coalescer.ts',
    find: '!isFull || convoys.has(null)', replace: '!isFull', notice: unit('crm-writer/src/batching/coalescer'),
  },
  {
    name: 'convoys: the rest of one does not wait for calls of others', file: 'packages/crm-writer/src/batching/coalescer.ts',
    find: '.every((convoy) => queued.has(convoy))', replace: '.some((convoy) => queued.has(convoy))', notice: unit('crm-writer/src/batching/coalescer'),
  },
  {
    name: 'convoys: the writer is not told of them', file: 'services/flow-runner/src/units/attempts/attempt-unit.ts',
    find: 'inConvoy: unit.plan?.convoy ?? false,', replace: '', notice: { project: 'integration', pattern: 'flow-runner/src/writing/upsert-record' },
  },
];

/** Mutants of writes that create their record before they look for it (ADR 0340). */
const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  {
    name: 'a record is created first by a property that is not unique', file: 'packages/crm-writer/src/writing/decide-upsert.ts',
    find: '  if (!state.unique) return upsertClaimed(state);\n', replace: "  if (!state.unique && state.createsFirst !== 'yes') return upsertClaimed(state);\n",
    notice: unit('writing/decide-upsert'),
  },
  {
    name: 'a create that came first is not followed by a read when it is refused', file: 'packages/crm-writer/src/writing/upsert-state.ts',
    find: "outcome.kind === 'landed' || isOpen ?", replace: "outcome.kind !== 'skipped' || isOpen ?", notice: unit('writing/decide-upsert'),
  },
  {
    name: 'a create that came first and got no answer counts as refused', file: 'packages/crm-writer/src/writing/upsert-state.ts',
    find: "outcome.failure.kind !== 'permanent'", replace: "outcome.failure.kind === 'fatal'", notice: unit('writing/decide-upsert'),
  },
  {
    name: 'rows go on creating records that exist', file: 'packages/crm-writer/src/policies/new-records.ts',
    find: '((isNew ? 0 : 1) - share)', replace: '(0 - share)', notice: unit('policies/new-records'),
  },
  {
    name: 'a write that is tried again creates first', file: 'packages/crm-writer/src/policies/new-records.ts',
    find: 'if (!unit.guarded || unit.retried) return false;', replace: 'if (!unit.guarded) return false;', notice: unit('policies/new-records'),
  },
  {
    name: 'a record that is created first lacks its identity', file: 'packages/crm-writer/src/calls/record-calls.ts',
    find: '{ [property]: ask.identityValue, ...ask.properties }', replace: 'ask.properties', notice: unit('new-records-of-imports'),
  },
];

/** Mutants of the limits that actions declare: in the schema, over several fields, on resolved values and on calls of ports. */
const actions = 'packages/actions/src';
const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  { name: 'limits: none is a maximum of the schema', file: `${actions}/bounded-schema.ts`, find: '[maximumOf(inner, field)]: max }', replace: '[maximumOf(inner, field)]: max * 2 }', notice: unit('config-model/src/checks/action-limits') },
  { name: 'limits: one of inner fields is not a maximum', file: `${actions}/bounded-schema.ts`, find: 'within(inner.items ?? {}, rest, field, max) }', replace: 'inner.items }', notice: unit('config-model/src/checks/action-limits') },
  { name: 'limits: a count over several fields is not checked', file: `${actions}/check-step.ts`, find: "if (limit.on !== 'step' || limit.count(step) <= limit.max) return [];", replace: "if (limit.on !== 'step' || limit.count(step) >= limit.max) return [];", notice: unit('config-model/src/checks/action-limits') },
  { name: 'limits: an error at save does not name the limit', file: 'packages/config-model/src/checks/check-structure.ts', find: 'action && limit ? overLimit(action.name, limit) : null', replace: 'null', notice: unit('config-model/src/checks/action-limits') },
  { name: 'limits: a resolved value may be larger', file: `${actions}/action-limit.ts`, find: '(sizeOf(value) ?? 0) > limit.max)', replace: '(sizeOf(value) ?? 0) > limit.max + 1)', notice: unit('actions/src/action-limit') },
  { name: 'limits: a list within a list counts as one', file: `${actions}/action-limit.ts`, find: 'return value.flat().length;', replace: 'return value.length;', notice: unit('actions/src/action-limit') },
  { name: 'limits: a step over its limit runs', file: `${actions}/define-action.ts`, find: "if (over) return Promise.resolve(permanent('step_limit', overLimit(definition.name, over)));", replace: '', notice: unit('actions/src/action-limit') },
  { name: 'limits: a receiver has as long as any other', file: `${actions}/limited-ports.ts`, find: 'rest.send({ ...request, timeoutMs: max })', replace: 'rest.send(request)', notice: unit('actions/src/action-limit') },
  { name: 'limits: associated records are not bounded', file: `${actions}/limited-ports.ts`, find: 'crm.associated({ ...request, limit: max })', replace: 'crm.associated(request)', notice: unit('actions/src/action-limit') },
  { name: 'limits: notes are not bounded', file: `${actions}/limited-ports.ts`, find: 'files.deleteAttachments({ ...request, notes: max })', replace: 'files.deleteAttachments(request)', notice: unit('actions/src/action-limit') },
  { name: 'limits: the writer reads more associated records than it is asked for', file: 'packages/crm-writer/src/associations/associated-records.ts', find: '.slice(0, limit)', replace: '', notice: unit('crm-writer/src/crm-writer.test') },
  { name: 'limits: a file of the event may be one byte larger', file: 'packages/crm-writer/src/files/file-content.ts', find: 'return bytes.length > maxBytes ?', replace: 'return bytes.length > maxBytes + 1 ?', notice: unit('file-content') },
];

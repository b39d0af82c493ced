/** Mutants of the actions that work on a list. */
const shared = 'packages/actions/src/shared';
const rows = 'services/flow-runner/src/units/rows/item-rows.ts';
const unit = (pattern) => ({ project: 'unit', pattern });
const items = unit('actions/src/shared/bulk-');

export default [
  { name: 'bulk: an ended item is sent again', file: `${shared}/run-items.ts`, find: 'before.get(placeOf(item)) ?? item', replace: 'item', notice: items },
  { name: 'bulk: a later value of a record is sent while an earlier one is open', file: `${shared}/run-items.ts`, find: 'if (previous && !(await previous)) return false;', replace: 'if (previous) await previous;', notice: items },
  { name: 'bulk: the step continues when the CRM answers no request', file: `${shared}/run-items.ts`, find: 'inARow >= itemsUnderWay || ', replace: '', notice: items },
  { name: 'bulk: any number of items is in flight', file: `${shared}/run-items.ts`, find: 'Math.min(itemsUnderWay, places.length)', replace: 'places.length', notice: items },
  { name: 'bulk: a failure that uses up no attempt decides', file: `${shared}/conclude-items.ts`, find: 'isUncounted(code) ? 1 : 2', replace: '1', notice: unit('actions/src/shared/conclude-items') },
  { name: 'bulk: one failed item fails the step', file: `${shared}/conclude-items.ts`, find: 'if (lost.length === items.length)', replace: 'if (lost.length > 0)', notice: items },
  { name: 'bulk: an item has the external id of its event', file: `${shared}/bulk-write.ts`, find: '  own_entity: null,\n', replace: '', notice: items },
  { name: 'bulk: items cost nothing', file: `${shared}/bulk-write.ts`, find: 'ctx.budget.work(workPerItem);', replace: '', notice: items },
  { name: 'bulk: chunk_size is ignored', file: 'packages/crm-writer/src/batching/pick-batch.ts', find: 'rules.limitOf?.(pending.request) ?? Infinity', replace: 'Infinity', notice: unit('crm-writer/src/batching/coalescer') },
  { name: 'bulk: open items are not parked', file: rows, find: "ofUnit === 'failed' ? 'failed' : 'parked'", replace: "ofUnit === 'failed' ? 'failed' : 'failed'", notice: unit('flow-runner/src/units/rows/item-rows') },
  {
    name: 'bulk: an item that could not be tried is parked by a failure that uses up no attempt',
    file: rows, find: 'return failure === null || (isUncounted(failure.code)', replace: 'return failure === null || (false',
    notice: unit('flow-runner/src/units/rows/item-rows'),
  },
  { name: 'bulk: the event has a row beside those of its items', file: rows, find: 'items.length === 0 || single || !told', replace: 'true', notice: unit('flow-runner/src/units/rows/item-rows') },
  { name: 'find: a search by any property meets one record only', file: 'packages/actions/src/find/find.action.ts', find: 'identityProperty === property)) return null;', replace: 'identityProperty !== null)) return null;', notice: unit('actions/src/upsert') },
  { name: 'bulk: a completed row of another item counts for an item', file: 'packages/adapters/store-postgres/src/records/replayable.ts', find: 'OR done.item = s.item', replace: 'OR true', notice: { project: 'integration', pattern: 'config-api/src/features/records' } },
];

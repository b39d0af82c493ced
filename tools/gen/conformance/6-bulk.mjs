/** The actions that work on a list. */
const tests = {
  'bulk items': 'packages/actions/src/shared/bulk-actions.test.ts',
  'bulk bounds': 'packages/actions/src/shared/bulk-bounds.test.ts',
  'bulk in the runner': 'services/flow-runner/src/writing/bulk-actions.integration.test.ts',
  'rows of items': 'services/flow-runner/src/units/item-rows.test.ts',
  'event status': 'services/ingest-api/src/status/event-status.test.ts',
  'held events': 'packages/ports/src/testing/run-store-held-tests.ts',
  batches: 'packages/crm-writer/src/coalescer.test.ts',
  'step checks': 'packages/actions/src/check-step.test.ts',
  'meta rules': 'packages/actions/src/meta-rules.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Bulk actions',
      rules: [
        ['`upsert_many`, `create_many`, `update_many`, `delete_many` and `associate_many` need config version 3.1', 'meta rules keeps the five bulk actions to config version 3.1'],
        ['`items` is required, `delete_many` also needs `external_id`; toward a REST destination they are refused', 'step checks missing items'],
        ['Each item is projected as if it were `$.payload`, and is `$._item`; the external id of an `entities` entry is not that of its items', 'bulk items are projected as the payload, and are $._item'],
        ['The output of a write is `{total, succeeded, failed, skipped, results}` with an entry per item', 'bulk items end each on its own'],
        ['The output of `associate_many` is `{associated, failed, skipped, results}`; both external ids are read per element', 'bulk bounds associates a pair per element'],
        ['`chunk_size` bounds the calls to the CRM, 100 at most', 'bulk in the runner keep their calls to the chunk_size'],
        ['also where items of several steps share a call', 'batches keeps a call to the size that the smallest of its requests allows'],
        ['Items are record rows of their own', 'bulk in the runner write in full batches, with a row per element'],
        ['Some failing gives the event `partial_failure`', 'event status some items of a bulk action failed'],
        ['all failing `failed`', 'event status all items of a bulk action failed'],
        ['and the step fails', 'bulk items fail the step when none of them succeeded'],
        ['Per-item failures never undo or repeat their neighbours: a refused one', 'bulk in the runner neither undo nor repeat the neighbours'],
        ['one that fails in passing, through all attempts', 'bulk in the runner try only what is open again'],
        ['What ended is kept with the event that waits', 'held events keeps every field'],
        ['An item whose attempts are used up is `parked`, one that a guard refused `quarantined`', 'rows of items %s'],
        ['`create_many` creates each record once, `delete_many` deletes by `external_id` against `$._item`, in full batches', 'bulk in the runner create and delete in full batches'],
        ['`update_many` skips records that are not there', 'bulk bounds skips records that are not there and makes none'],
        ['Items of one record are written in their order', 'bulk items of one record are written in the order of the list'],
        ['and a later value never before an earlier one, also not over attempts', 'bulk items does not write a later value of a record before an earlier one'],
        ['A missing endpoint id is a graceful no-op in `associate_many`, a record still to come waits alone', 'bulk in the runner associate in full batches'],
        ['A list over the work budget of its event writes nothing', 'bulk bounds a list that costs more than the budget of its event writes nothing'],
        ['A huge list has a bounded number of items under way', 'bulk bounds so many items are under way at once'],
        ['A flow of find, upsert and associate over distinct records costs at most 0.06 CRM calls a record under load', 'bulk in the runner cost at most 0.06 calls a record'],
      ],
    },
  ],
};

/** The width of a hot connector. */
const runner = 'services/flow-runner/src/runner';

const tests = {
  route: 'services/config-api/src/features/operator/connector-width.integration.test.ts',
  plans: 'packages/event-intake/src/plan-units.test.ts',
  partitions: `${runner}/../ordering/other-partitions.test.ts`,
  changes: `${runner}/../ordering/ordering-change.integration.test.ts`,
  audit: 'services/config-api/src/audit/audit.integration.test.ts',
  'audit of work': 'services/config-api/src/audit/test-support/job-audit-tests.ts',
  cluster: 'test-e2e/src/distributed.e2e.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'The width of a connector',
      rules: [
        ['`PUT /operator/connectors/{connector_id}/width` `{width}`: 200 `{connector_id, width, width_before, effective_at}`', 'route a width is raised, with the moment from which on it counts, and every service is told'],
        ['A lower width: 422; another raise before the last one has begun: 409 `connector_width_change_pending`', 'route a width is not lowered, and not raised again before the last raise has begun'],
        ['404 `connector_not_found`, and the operator alone', 'route an unknown connector is 404, and only the operator may do this'],
        ['A raise is in the audit log of the organization', 'audit of work a raised width is logged in the organization of the connector'],
        ['It counts from its beginning on, for all acceptors (`SLUICE_WIDTH_LEAD`)', 'plans a raised width counts from its beginning on, with the ordering epoch that the raise has made'],
        ['An event of the new width waits for older ones in other partitions', 'changes waits for what failed before it in another partition'],
        ['also for those in hand of another runner', 'changes waits for events in hand in another partition, of another runner too'],
        ['and no two events wait for each other', 'partitions decides by what is held: an older one that waits for a newer one itself'],
        ['Raised over HTTP with events in flight, each record keeps its order', 'cluster raises the width of a connector while its events are in flight: each record keeps its order'],
      ],
    },
  ],
};

/** Which clock decides what. */
const clocks = { project: 'integration', pattern: 'runner/clocks' };
const storeTime = { project: 'unit', pattern: 'create-store-time' };

export default [
  {
    name: 'a create does not ask when a record was made',
    file: 'packages/crm-writer/src/writing/was-made-by.ts',
    find: '!(Date.parse(record.createdAt) < since - clocksDifferMs)\n  &&',
    replace: '',
    notice: clocks,
  },
  {
    name: 'conflicts are dated by the monotonic clock',
    file: 'packages/crm-writer/src/writing/record-sender.ts',
    find: 'createConflictPolicy(session, parts.tokenApp, parts.storeNow)',
    replace: 'createConflictPolicy(session, parts.tokenApp, parts.monotonicNow)',
    notice: clocks,
  },
  {
    name: 'held scopes are due by the wall clock',
    file: 'services/flow-runner/src/runner/create-runner.ts',
    find: 'storeNow: deps.storeTime.now, leases',
    replace: 'storeNow: deps.now, leases',
    notice: clocks,
  },
  {
    name: 'events expire by the wall clock',
    file: 'services/flow-runner/src/runner/create-processing.ts',
    find: 'storeNow: storeTime.now, crashWatch',
    replace: 'storeNow: deps.now, crashWatch',
    notice: clocks,
  },
  {
    name: 'a runner never learns the time of the store',
    file: 'services/flow-runner/src/partitions/partition-leases.ts',
    find: 'told(answer.storeMs);',
    replace: '',
    notice: { project: 'unit', pattern: 'partition-leases' },
  },
  {
    name: 'renewals do not tell the time of the store',
    file: 'services/flow-runner/src/partitions/partition-leases.ts',
    find: 'if (storeMs !== null) told(storeMs);',
    replace: '',
    notice: { project: 'unit', pattern: 'partition-leases' },
  },
  {
    name: 'the time of the store follows it back',
    file: 'packages/service-kit/src/time/create-store-time.ts',
    find: 'if (byMs < 0) [aheadMs, jump] = [-byMs, null];',
    replace: 'if (byMs < 0) adopt(storeMs);',
    notice: storeTime,
  },
  {
    name: 'the time of the store stands still after a step back',
    file: 'packages/service-kit/src/time/create-store-time.ts',
    find: 'Math.min(aheadMs, passed / 2)',
    replace: 'Math.min(aheadMs, passed)',
    notice: storeTime,
  },
  {
    name: 'the time of the store jumps forth at once',
    file: 'packages/service-kit/src/time/create-store-time.ts',
    find: 'else if (isConfirmed(byMs)) adopt(storeMs);',
    replace: 'else adopt(storeMs);',
    notice: storeTime,
  },
  {
    name: 'sweeps follow the clock of the machine',
    file: 'services/config-api/src/sweeps.ts',
    find: 'await store.storeTime()',
    replace: 'new Date()',
    notice: { project: 'unit', pattern: 'sweeps' },
  },
];

/** A log that has lost its newest messages. */
const lost = { project: 'integration', pattern: 'intake/lost-log-tail' };

export default [
  {
    name: 'log: known offsets that come again are dropped',
    file: 'services/flow-runner/src/runner/topic-runner.ts',
    find: 'return seen !== null && offset <= seen && !(early && logEnd > seen);',
    replace: 'return seen !== null && offset < 0n;',
    notice: lost,
  },
  {
    name: 'log: the partition is read on at the committed offset',
    file: 'services/flow-runner/src/intake/take-partition.ts',
    find: '[settled, entry.readFrom].reduce',
    replace: '[settled].reduce',
    notice: lost,
  },
  {
    name: 'log: the Kafka adapter drops known offsets although the log has lost its end',
    file: 'packages/adapters/bus-kafka/src/consuming/partition-pump.ts',
    find: 'next !== undefined && logEnd < next ? undefined : next',
    replace: 'next',
    notice: { project: 'unit', pattern: 'bus-kafka/src/consuming/partition-pump' },
  },
];

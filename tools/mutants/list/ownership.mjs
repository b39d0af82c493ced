/** Leases, readiness, settled offsets, supervised subscriptions and bounded calls. */
export default [
  {
    name: 'a new lease counted from after the answer',
    file: 'services/flow-runner/src/partitions/partition-leases.ts',
    find: 'safeUntil: askedAt + options.leaseMs };',
    replace: 'safeUntil: options.monotonicNow() + options.leaseMs };',
    notice: { project: 'unit', pattern: 'partition-leases' },
  },
  {
    name: 'a renewed lease counted from after the answer',
    file: 'services/flow-runner/src/partitions/partition-leases.ts',
    find: 'entry.safeUntil = askedAt + options.leaseMs;',
    replace: 'entry.safeUntil = options.monotonicNow() + options.leaseMs;',
    notice: { project: 'unit', pattern: 'partition-leases' },
  },
  {
    name: 'a monotonic clock that follows the wall clock back',
    file: 'packages/service-kit/src/time/create-monotonic-clock.ts',
    find: 'if (difference < ahead) ahead = difference;',
    replace: 'if (difference < ahead) { suspendedMs += difference - ahead; ahead = difference; }',
    notice: { project: 'unit', pattern: 'create-monotonic-clock' },
  },
  {
    name: 'a monotonic clock that stands still while the machine is suspended',
    file: 'packages/service-kit/src/time/create-monotonic-clock.ts',
    find: 'suspendedMs += difference - ahead;',
    replace: '',
    notice: { project: 'unit', pattern: 'create-monotonic-clock' },
  },
  {
    name: 'the first work after a quiet time counts as stuck',
    file: 'services/flow-runner/src/runner/topic-runner.ts',
    find: 'if (taken.length > 0 && taken.length === lanes.stats().inFlight) progressed();',
    replace: '',
    notice: { project: 'integration', pattern: 'runner/runner.integration' },
  },
  {
    name: 'what was read before a rewind is handed over after it',
    file: 'packages/ports/src/bus-kit/partition-reader.ts',
    find: 'if (position.rewinds === rewinds) position.next =',
    replace: 'position.next =',
    notice: { project: 'unit', pattern: 'memory-bus' },
  },
  {
    name: 'a fetch from before a rewind is taken in',
    file: 'packages/adapters/bus-kafka/src/partition-pump.ts',
    find: 'if (isStale) return false;',
    replace: '',
    notice: { project: 'unit', pattern: 'partition-pump' },
  },
  {
    name: 'a rewind that does not reach the Kafka consumer',
    file: 'packages/adapters/bus-kafka/src/subscribe.ts',
    find: '      pump.rewind(next);\n      run?.consumer.seek({ topic, partition, offset: String(next) });',
    replace: '      pump.rewind(next);',
    notice: { project: 'integration', pattern: 'bus-kafka/src/kafka-bus' },
  },
];

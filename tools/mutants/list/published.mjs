/** A version that was published is known: answers wait for the relay, and a runner asks before an event ends without a flow. */
const relay = { project: 'unit', pattern: 'config-api/src/relay' };
const plan = { project: 'unit', pattern: 'flow-runner/src/planning/load-plan' };
const answers = 'services/config-api/src/relay/with-published-changes.ts';

export default [
  { name: 'published: answers do not wait', file: answers, find: 'while ((await outbox.newestWaiting(newest)) !== null) {', replace: 'while (false) {', notice: relay },
  { name: 'published: the relay is not woken', file: answers, find: 'relay.wake();', replace: '', notice: relay },
  { name: 'published: every answer waits for a broker that is away', file: answers, find: 'if (newest === null || isLate) return;', replace: 'if (newest === null) return;', notice: relay },
  { name: 'published: an event without a flow ends under the version in memory', file: 'services/flow-runner/src/planning/load-plan.ts', find: 'return connector !== undefined && connector.active_version !== plan.version;', replace: 'return false;', notice: plan },
  { name: 'published: the store is asked for each event', file: 'services/flow-runner/src/planning/load-plan.ts', find: 'asked.add(id);', replace: '', notice: plan },
];

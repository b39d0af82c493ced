/** Runners that died: what counts as dead, and what is left to their calls. */
const [flowRunner, store] = ['services/flow-runner/src/partitions', 'packages/adapters/store-postgres/src/run'];
const stores = { project: 'integration', pattern: 'run-stores' };
const sessions = { project: 'integration', pattern: 'run/owner-sessions' };

export default [
  {
    name: 'an owner of which no session can be seen counts as dead', file: `${store}/owner-sessions.ts`,
    find: ' OR a.backend_start IS NULL', replace: '', notice: sessions,
  },
  {
    name: 'an owner of an older version counts as dead', file: `${store}/owner-sessions.ts`,
    find: 'o.session_owner = o.owner', replace: 'o.session_owner IS NOT NULL', notice: sessions,
  },
  {
    name: 'a restart of the database makes all owners dead', file: `${store}/owner-sessions.ts`,
    find: 'a.backend_start < o.renewed_at', replace: 'a.backend_start < clock_timestamp()', notice: stores,
  },
  {
    name: 'a frozen owner counts as dead', file: `${store}/owner-sessions.ts`,
    find: 'AND NOT EXISTS (', replace: 'AND EXISTS (', notice: stores,
  },
  {
    name: 'a partition of a dead owner is taken while its calls are under way', file: `${store}/partition-ownership.ts`,
    find: '${callsEnd} <= clock_timestamp() AND ${sessionGone}', replace: '${sessionGone}', notice: stores,
  },
  {
    name: 'a call starts although others may take the partition', file: `${flowRunner}/partition-leases.ts`,
    find: 'Math.min(startWithinMs, leaseMs - callMs)', replace: 'leaseMs - callMs',
    notice: { project: 'unit', pattern: 'partition-leases' },
  },
  {
    name: 'a renewal that failed waits for the next one', file: `${flowRunner}/partition-leases.ts`,
    find: 'if (!this.stopping) this.retry =', replace: 'if (this.stopping) this.retry =',
    notice: { project: 'unit', pattern: 'partition-leases' },
  },
  {
    name: 'calls under way do not count', file: `${flowRunner}/call-times.ts`,
    find: '[...known, ...[...this.underWay]', replace: '[...known, ...[...this.underWay].slice(0, 0)',
    notice: { project: 'unit', pattern: 'call-times' },
  },
  {
    name: 'nobody learns how long writes of the CRM take', file: 'packages/crm-writer/src/session/portal-session.ts',
    find: "kind === 'write' ? await timed(deps, sent) : await sent()", replace: 'await sent()',
    notice: { project: 'unit', pattern: 'portal-session' },
  },
  {
    name: 'nobody learns how long plugins take', file: 'services/flow-runner/src/plugins/attempt-plugins.ts',
    find: 'if (may) ended ??= this.deps.callStarted?.();', replace: '',
    notice: { project: 'unit', pattern: 'attempt-plugins' },
  },
  {
    name: 'nobody learns how long destinations take', file: 'packages/rest-targets/src/rest-targets.ts',
    find: 'await timed(parts, call)', replace: 'await call()',
    notice: { project: 'integration', pattern: 'rest-targets/src/rest-targets' },
  },
  {
    name: 'a dead member stays in its group on Kafka', file: 'packages/adapters/bus-kafka/src/remove-members.ts',
    find: 'await coordinator.leaveGroup(groupId, memberId).catch(unlessGone)', replace: 'void memberId',
    notice: { project: 'integration', pattern: 'bus-kafka/src/removed-member' },
  },
  {
    name: 'a dead runner is not removed from its group', file: `${flowRunner}/dead-runners.ts`,
    find: 'await bus.removeMember(topic, group, owner);', replace: '',
    notice: { project: 'unit', pattern: 'dead-runners' },
  },
];

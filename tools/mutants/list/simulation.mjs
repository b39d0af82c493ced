/** What only whole runners in seeded worlds notice (docs/simulation.md). */
const runner = 'services/flow-runner/src';
const notice = { project: 'simulation' };
/** Noticed in some seeds beyond the first thousand, and by a test. */
const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  {
    name: 'simulation: a call starts without checking the lease of its partition', file: 'packages/ports/src/crm/call-start.ts',
    find: '(await insideLease(callTimeoutMs)) && owned()', replace: '(await insideLease(callTimeoutMs))',
    notice,
  },
  {
    name: 'simulation: no call checks the lease of its partition', file: `${runner}/units/attempts/attempt-unit.ts`,
    find: '    owned: () => deps.owns(unit),', replace: '    owned: () => true,', notice,
  },
  {
    name: 'simulation: the runner does not rejoin after it lost a lease', file: `${runner}/runner/topic-runner.ts`,
    find: '    this.reader.renew();\n  }', replace: '  }', notice,
  },
  {
    name: 'simulation: associations are never written', file: 'packages/crm-writer/src/associations/association-calls.ts',
    find: 'await sendPairs(asks, send)', replace: 'asks.map(() => ({ ok: true as const, value: null }))', notice,
  },
  {
    name: 'simulation: some live upserts are skipped as superseded by nothing newer', file: 'packages/crm-writer/src/policies/stale-guard.ts',
    find: `concerns: ({ unit }) => unit.guarded,
    judge: ({ unit, record }) => {`,
    replace: `concerns: ({ unit }) => unit.guarded || unit.position.offset % 20n === 7n,
    judge: ({ unit, record }) => {
      if (!unit.guarded) return { kind: 'skip', reason: 'superseded' };`,
    notice,
  },
  {
    name: 'simulation: a call may end after its lease', file: 'packages/ports/src/crm/call-start.ts',
    find: '(await insideLease(callTimeoutMs)) && owned()', replace: 'owned()',
    notice: unit('crm-writer/src/session/portal-session'),
  },
  {
    name: 'simulation: an event that is being processed is taken in again', file: `${runner}/intake/partition-intake.ts`,
    find: 'if (unfinished.has(incoming.unit)) continue;', replace: '', notice,
  },
  {
    name: 'simulation: a drain misses events that joined its scope before its page', file: `${runner}/held/held-drain.ts`,
    find: 'scope.lowestJoined !== null && scope.lowestJoined < work.item.offset', replace: 'false', notice,
  },
  {
    name: 'simulation: a drain does not wait for the older events of its connector', file: `${runner}/admission/start-rules.ts`,
    find: 'if (!isOlder(wider)) return null;', replace: 'if (wider !== null) return null;', notice,
  },
  {
    name: 'simulation: a scope keeps its old start position when it stops in the middle of a page', file: `${runner}/held/held-drain.ts`,
    find: 'if (fromStart) moveHead(scope, rows[0]!.offset);', replace: '', notice,
  },
  {
    name: 'simulation: a scope that waits for its connector keeps its slot', file: `${runner}/runner/held-runner.ts`,
    find: "'older_in_connector', ", replace: '', notice,
  },
  {
    name: 'simulation: a finished claim is released also when it names another record', file: 'packages/crm-writer/src/writing/upsert-record.ts',
    find: 'note.crmId === undefined ? note.claim : { crmId: note.crmId, ...note.claim }', replace: 'note.claim',
    notice,
  },
  {
    name: 'ownership: what a runner learnt under a lost lease is forgotten', file: `${runner}/partitions/partition-leases.ts`,
    find: 'sameEpoch(this.owned.get(lease), lease) ?? sameEpoch(this.former.get(lease), lease)', replace: 'sameEpoch(this.owned.get(lease), lease)',
    notice: unit('partitions/partition-leases-renewal'),
  },
  {
    name: 'held: a scope that waits for its lane keeps its slot', file: `${runner}/runner/held-runner.ts`,
    find: "'older_in_lane', ", replace: '', notice: unit('runner/held-runner'),
  },
  {
    name: 'simulation: a scope goes live whenever a read of it is empty', file: `${runner}/held/held-drain.ts`,
    find: '(wholeLook && deps.liveIfEmpty(scope, 0))', replace: 'deps.liveIfEmpty(scope, 0)', notice,
  },
  {
    name: 'simulation: a plan of another version is kept', file: `${runner}/planning/plan-anew.ts`,
    find: ' && plan.version !== connector.active_version', replace: ' && plan.version === undefined',
    notice,
  },
  {
    name: 'simulation: an attempt that waited for the crash watch keeps its plan', file: `${runner}/processing/unit-processor.ts`,
    find: 'else if (isStale(deps, unit)) attempted = null;', replace: '', notice: unit('processing/unit-processor'),
  },
  {
    name: 'simulation: a create whose earlier attempt may have landed is sent again at once',
    file: 'packages/crm-writer/src/writing/claimed-create.ts',
    find: "if (answer.state === 'own') return this.resolveOwn(answer);",
    replace: "if (answer.state === 'own') return this.searchAndSend(answer);", notice,
  },
  {
    name: 'simulation: a later entry of a list continues after an earlier one of its record failed',
    file: 'packages/actions/src/shared/run-items.ts',
    find: 'if (previous && !(await previous)) return false;', replace: 'if (previous) await previous;', notice,
  },
  {
    name: 'simulation: an older event creates again what a newer one deleted', file: 'packages/crm-writer/src/state/mapping-removals.ts',
    find: 'return knows(unit, key) || reads.ask({ position: unit.position, ...key });', replace: 'return false;', notice,
  },
  {
    name: 'simulation: a replay job starts more than its window', file: 'packages/event-replays/src/replay-worker.ts',
    find: 'Math.min(most, this.window.size - this.underWay.size)', replace: 'most', notice,
  },
  {
    name: 'simulation: a replay job is completed while its records run', file: 'packages/event-replays/src/replay-worker.ts',
    find: 'if (done && this.underWay.size === 0) return this.finish();', replace: 'if (done) return this.finish();', notice,
  },
  {
    name: 'simulation: a step of a replay job counts although the log refused it', file: 'packages/event-replays/src/replay-worker.ts',
    find: 'if (refusal !== null) throw', replace: "if (refusal?.why === 'stopped') throw", notice,
  },
  {
    name: 'simulation: a replay counts as a live event', file: 'packages/event-intake/src/plan-replay.ts',
    find: "kind: 'replay',", replace: "kind: 'live',", notice,
  },
  {
    name: 'simulation: a replay counts as accepted now', file: 'packages/event-intake/src/plan-replay.ts',
    find: 'accepted_at: accepted.acceptedAt,', replace: 'accepted_at: askedAt.toISOString(),', notice,
  },
  {
    name: 'simulation: a replay writes over newer values', file: `${runner}/units/attempts/attempt-unit.ts`,
    find: "(unit.envelope.kind !== 'live' || mayBeOvertaken(unit))", replace: 'mayBeOvertaken(unit)', notice,
  },
];

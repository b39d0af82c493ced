const runner = 'services/flow-runner/src';
const unit = (pattern) => ({ project: 'unit', pattern: `flow-runner/src/${pattern}` });
const integration = (pattern) => ({ project: 'integration', pattern: `flow-runner/src/${pattern}` });

/** Held events: who may start, what waits for a closed portal. */
export default [
  {
    name: 'held: a portal may take every slot', file: `${runner}/held/fair-slots.ts`,
    find: 'return ofPortal < portalShare && ofConnector < half(portalShare - (ofPortal - ofConnector));', replace: 'return taken < common;', notice: unit('held/fair-turns'),
  },
  {
    name: 'held: a portal without a slot waits for others', file: `${runner}/held/fair-slots.ts`,
    find: 'if (ofPortal === 0) return taken < common * (1 + forPortals);', replace: 'if (ofPortal === 0) return taken < common;', notice: unit('held/fair-turns'),
  },
  {
    name: 'held: due scopes start in the order in which they were held', file: `${runner}/held/fair-turns.ts`,
    find: '[...due].sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))', replace: '[...due]', notice: unit('runner/held-runner'),
  },
  {
    name: 'held: portals do not take turns', file: `${runner}/held/fair-turns.ts`,
    find: 'ranked.sort((a, b) => a.round - b.round)', replace: 'ranked', notice: unit('held/fair-turns'),
  },
  {
    name: 'held: a slot is never released', file: `${runner}/runner/held-runner.ts`,
    find: 'slotsOf(this.slots, scope).free({ portal, connectorId });', replace: '', notice: unit('runner/held-runner'),
  },
  {
    name: 'held: a drain uses a count that is older than a hold', file: `${runner}/held/held-drain.ts`,
    find: '(scope.pendingHolds === 0 ? scope.holds : null)', replace: 'scope.holds', notice: unit('held/held-drain'),
  },
  {
    name: 'held: a list is retried while a write of it may still land', file: `${runner}/units/verdicts/verdict.ts`,
    find: 'Math.max(due, listMayLandUntil(unit, facts))', replace: 'due', notice: unit('units/verdict'),
  },
  {
    name: 'held: drains do not check whether their portal is open', file: `${runner}/held/held-drain.ts`,
    find: 'const room = deps.room();', replace: 'const room = Infinity;', notice: unit('held/held-drain'),
  },
  {
    name: 'held: scopes of a closed portal are due', file: `${runner}/runner/due-scopes.ts`,
    find: 'room: gates.room(portal) };', replace: 'room: Infinity };', notice: unit('runner/held-runner'),
  },
  {
    name: 'held: a scope that waits for its lane keeps the only try of its portal', file: `${runner}/runner/held-runner.ts`,
    find: 'scope.notBefore = storeNow() + againMs;\n    return false;', replace: 'return true;', notice: unit('runner/held-runner'),
  },
  {
    name: 'held: an event that fails at a closed portal is held in its lane', file: `${runner}/units/verdicts/verdict.ts`,
    find: "if (trouble || code === 'write_cap_reached' ||", replace: "if (code === 'write_cap_reached' ||", notice: unit('units/verdict'),
  },
  {
    name: 'held: each try of a closed portal counts as an attempt', file: `${runner}/units/verdicts/verdict.ts`,
    find: 'held.dueAt !== null && held.dueAt > now;', replace: 'false;', notice: unit('units/verdict'),
  },
  {
    name: 'held: a wait that changes nothing is written', file: `${runner}/processing/unit-processor.ts`,
    find: "if (from && verdict.kind === 'hold' && flowOutcome === null && leavesNothing(unit, verdict.held, attempted.effects)) {", replace: 'if (from && verdict.kind === \'hold\' && false) {', notice: unit('processing/unit-processor'),
  },
  {
    name: 'held: from the log, what waits for its connector leaves its lane in two places', file: `${runner}/processing/unit-processor.ts`,
    find: 'return { ...held, scope: scopes.narrow(unit, flowNameOf(unit))?.scope ?? held.scope };', replace: 'return held;', notice: unit('processing/unit-processor'),
  },
  {
    name: 'held: live events do not check whether their portal is open', file: `${runner}/admission/start-rules.ts`,
    find: 'const closed = admission.room() === 0 ? gates.closed(requiredPortal(directory.get(unit.envelope.connector_id))) : null;', replace: 'const closed = null;', notice: integration('admission/closed-portal'),
  },
  {
    name: 'held: a flow\'s scope takes followers of other flows', file: `${runner}/runner/taken-units.ts`,
    find: 'holdsLane(refusal.scope) ? this.deps.lanes.divertBehind(work) : []',
    replace: 'this.deps.lanes.divertBehind(work)', notice: integration('ordering/overtaken-events'),
  },
  {
    name: 'held: what waits in a narrow scope is not guarded', file: `${runner}/units/attempts/attempt-unit.ts`,
    find: '(held.tries > 0 || isNarrow(held.scope))',
    replace: '(held.tries > 0)', notice: integration('ordering/overtaken-events'),
  },
  {
    name: 'held: an event that was started before is not guarded', file: `${runner}/units/attempts/attempt-unit.ts`,
    find: '(held.tries > 0 || isNarrow(held.scope))',
    replace: 'isNarrow(held.scope)', notice: integration('ordering/overtaken-events'),
  },
  {
    name: 'held: an event does not wait for older work of another ordering', file: `${runner}/ordering/ordering-barrier.ts`,
    find: 'epoch !== epochOf(unit) && offset < unit.offset',
    replace: 'false',
    notice: integration('ordering/ordering-change'),
  },
  {
    name: 'held: older work in memory does not count after a change of the ordering', file: `${runner}/ordering/ordering-barrier.ts`,
    find: 'note(gathering, epochOf(value), value.offset);',
    replace: 'continue;',
    notice: integration('ordering/ordering-change'),
  },
  {
    name: 'held: held older work does not count after a change of the ordering', file: `${runner}/ordering/ordering-barrier.ts`,
    find: 'note(gathering, epoch, offset);',
    replace: 'continue;',
    notice: integration('ordering/ordering-change'),
  },
  {
    name: 'held: what the barrier waits for does not come into memory', file: `${runner}/ordering/ordering-barrier.ts`,
    find: 'await deps.heldWindow.bring({ topic, partition }, connectorId, held.map(({ lane }) => lane));',
    replace: '',
    notice: unit('ordering/ordering-barrier'),
  },
  {
    name: 'held: drains do not wait for older work of another ordering', file: `${runner}/admission/start-rules.ts`,
    find: 'const state = barrier.state(unit);',
    replace: "const state = from === null ? barrier.state(unit) : 'open';",
    notice: integration('ordering/ordering-change'),
  },
  {
    name: 'held: only some scopes of lanes in flight are known', file: `${runner}/held/held-window.ts`,
    find: 'if (partitionScopes.hasMore(envelope.connector_id)) lanes.add(envelope.lane);', replace: '', notice: unit('held/held-window'),
  },
  {
    name: 'held: scopes of lanes in flight leave memory', file: `${runner}/held/held-window.ts`,
    find: 'return scope.lane !== null && (partitionScopes.keepsLane(scope.lane)\n      || this.deps.isLaneUnfinished(scope.partition, scope.lane));', replace: 'return false;', notice: unit('held/held-window'),
  },
  {
    name: 'held: scopes that are not written leave memory', file: `${runner}/held/held-window.ts`,
    find: 'scope.pendingHolds > 0 || ', replace: '', notice: unit('held/held-window'),
  },
  {
    name: 'held: a scope that left memory is not loaded again', file: `${runner}/held/partition-scopes.ts`,
    find: 'this.connector(scope.connectorId).left(scope);', replace: '', notice: unit('held/held-window'),
  },
  {
    name: 'held: an old answer of the store restores an ended scope', file: `${runner}/held/partition-scopes.ts`,
    find: ' && !left.has(text)', replace: '', notice: unit('held/held-window'),
  },
  {
    name: 'held: later scopes in memory keep due ones out of it', file: `${runner}/held/held-window.ts`,
    find: '(outsideDueAt <= now && connector.ready(now, room).length * 2 <= room)', replace: '(outsideDueAt <= now && waiting.length * 2 <= room)', notice: unit('held/held-window'),
  },
  {
    name: 'held: all scopes stay in memory', file: `${runner}/held/held-window.ts`,
    find: 'if (most > 0) above -= this.leave(partitionScopes, connector, most);', replace: '', notice: unit('held/held-window'),
  },
  {
    name: 'held: a scope of an ended ownership is known to the next', file: `${runner}/held/held-scopes.ts`,
    find: 'return partitionScopes?.epoch === epoch ? partitionScopes.add(scope) : openScope(scope);', replace: 'return partitionScopes ? partitionScopes.add(scope) : openScope(scope);', notice: unit('held/held-scopes'),
  },
  {
    name: 'held: events in flight do not count for their lane', file: `${runner}/intake/unfinished-units.ts`,
    find: 'count(lanes, lane, by);', replace: '', notice: unit('intake/partition-intake'),
  },
  {
    name: 'held: events enter their lanes before the scopes of these lanes are known', file: `${runner}/intake/partition-intake.ts`,
    find: 'deps.heldWindow.know(lease, units),', replace: '', notice: unit('intake/partition-intake'),
  },
  {
    name: 'held: a scope keeps the reason and due time of its ended head', file: 'packages/adapters/store-postgres/prisma/migrations/0014_held_scopes/migration.sql',
    find: 'AND e."offset" >= s.head_offset\n', replace: 'AND false\n', notice: { project: 'integration', pattern: 'store-postgres/src/run-stores' },
  },
  {
    name: 'held: due scopes are given in any order', file: 'packages/adapters/store-postgres/src/run/read-held-scopes.ts',
    find: 'ORDER BY s.due_at NULLS FIRST LIMIT r.places', replace: 'ORDER BY s.due_at DESC LIMIT r.places', notice: { project: 'integration', pattern: 'store-postgres/src/run-stores' },
  },
  {
    name: 'held: what waits behind an event that joins a scope is held one by one', file: `${runner}/runner/taken-units.ts`,
    find: 'holdsLane(refusal.scope) ? this.deps.lanes.divertBehind(work) : []', replace: '[] as Work<Unit>[]',
    notice: integration('intake/followers'),
  },
];

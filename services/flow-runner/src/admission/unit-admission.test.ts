import { createPortalGates } from '@sluice/crm-writer';
import type { ConnectorChange } from '@sluice/contracts';
import { connectorScope, eventScope, flowScope, laneScope, monotonicClock, type ScopeId } from '@sluice/ports';
import type { HeldScope } from '../held/held-scope';
import { createHeldScopes } from '../held/held-scopes';
import { closedBreakers } from '../test-support/closed-breakers';
import { testUnit } from '../test-support/units';
import type { Unit, UnitPlan } from '../units/unit';
import type { StartBlock } from './start-block';
import { UnitAdmission, type UnitAdmissionDeps } from './unit-admission';

const topic = 'events.inbound';
const plan = { version: 3, match: 'flow', flowName: 'orders', convoy: null } as unknown as UnitPlan;
const active = {
  connector_id: 'c', revision: 1, deleted: false, status: 'active', active_version: 3, organization: { state: 'active' },
  binding: { portal_id: 'p' },
} as ConnectorChange;
const paused: ConnectorChange = { ...active, status: 'paused' };
const refusal = { scope: flowScope('c', 'orders'), reason: 'breaker_open', dueAt: 9 } as const;

/** Everything lets a unit start, but for what the test says. */
function lab({ connector = active, ...deps }: Partial<UnitAdmissionDeps> & { connector?: ConnectorChange } = {}) {
  const scopes = createHeldScopes();
  scopes.open({ topic, partition: 3, epoch: 2n });
  const gates = createPortalGates({ monotonicNow: monotonicClock(() => 0), dryForMs: () => 0, failingAfterMs: 30_000 });
  const admission = new UnitAdmission({
    topic, scopes, gates, directory: { get: () => connector }, flowBreakers: closedBreakers,
    lanes: { isClearBefore: () => true }, barrier: { state: () => 'open' }, ...deps,
  });
  const hold = (scope: ScopeId, headOffset: bigint): HeldScope =>
    scopes.add({ scope, topic, partition: 3, connectorId: 'c', lane: 'c', reason: 'retry', dueAt: 0, headOffset }, 2n);
  return { admission, hold };
}

const unit = (): Unit => Object.assign(testUnit({}, 7n), { plan });
const kindOf = (block: StartBlock | null): string => block?.kind ?? 'may start';
const fromLog = (admission: UnitAdmission): string => kindOf(admission.admit(unit()).block);

describe('a unit from the log', () => {
  it.each([
    ['may start when nothing blocks it', 'may start', {}],
    ['is planned again under another version', 'stale_plan', { connector: { ...paused, active_version: 4 } }],
    ['waits for a paused connector', 'stopped', { connector: paused }],
    ['waits for a write cap', 'write_cap', { connector: { ...paused, write_cap: 'tripped' } }],
    ['runs though its connector was deleted', 'may start', { connector: { ...paused, deleted: true } }],
    ['does not wait for a breaker once its connector was deleted', 'may start',
      { connector: { ...active, deleted: true }, flowBreakers: { ...closedBreakers, refusal: () => refusal } }],
    ['waits for the breaker of its flow', 'breaker', { flowBreakers: { ...closedBreakers, refusal: () => refusal } }],
    ['waits for older events of another ordering', 'older_ordering', { barrier: { state: () => 'closed' } }],
    ['waits until older events are looked up', 'ordering_unknown', { barrier: { state: () => 'unknown' } }],
    ['does not wait for its lane, which let it go', 'may start', { lanes: { isClearBefore: () => false } }],
  ] as [string, string, Parameters<typeof lab>[0]][])('%s', (_name, kind, deps) => {
    expect(fromLog(lab(deps).admission)).toBe(kind);
  });

  it('joins the held scope of its lane, before its breaker and its portal are asked', () => {
    const { admission, hold } = lab({ flowBreakers: { ...closedBreakers, refusal: () => refusal } });
    hold(laneScope('c'), 5n);
    expect(admission.admit(unit()).block).toEqual({
      kind: 'held_scope', refusal: { scope: laneScope('c'), reason: 'retry', dueAt: null },
    });
  });

  it('waits for a portal that another unit tries; one that is blocked before does not take the try', () => {
    let now = 0;
    const gates = createPortalGates({ monotonicNow: monotonicClock(() => now), dryForMs: () => 0, failingAfterMs: 0 });
    for (let failures = 0; failures < 10; failures += 1) gates.apply('p', 'failed');
    now = 60_000;
    expect(fromLog(lab({ gates, barrier: { state: () => 'unknown' } }).admission)).toBe('ordering_unknown');
    const { admission } = lab({ gates });
    expect(fromLog(admission)).toBe('may start');
    expect(admission.admit(unit()).block).toMatchObject({ kind: 'portal_closed', reason: 'portal_unavailable' });
  });
});

describe('a unit of a held scope', () => {
  it('of its flow waits for older events in the scope of its lane', () => {
    const { admission, hold } = lab();
    hold(laneScope('c'), 5n);
    expect(kindOf(admission.blockHeld('held', unit(), hold(flowScope('c', 'orders'), 7n)))).toBe('older_in_lane');
  });

  it('waits for older events in the scope of its connector, also while that runs', () => {
    const { admission, hold } = lab();
    const wide = hold(connectorScope('c'), 5n);
    const own = hold(laneScope('c'), 7n);
    expect(kindOf(admission.blockHeld('held', unit(), own))).toBe('older_in_connector');
    wide.draining = true;
    expect(kindOf(admission.blockHeld('held', unit(), own))).toBe('connector_running');
  });

  it('waits for its lane and for another ordering, but not when it stepped aside', () => {
    const older = lab({ lanes: { isClearBefore: () => false } });
    expect(kindOf(older.admission.blockHeld('held', unit(), older.hold(laneScope('c'), 7n)))).toBe('older_in_log');
    const other = lab({ barrier: { state: () => 'closed' } });
    expect(kindOf(other.admission.blockHeld('held', unit(), other.hold(laneScope('c'), 7n)))).toBe('older_ordering');
    const aside = lab({ lanes: { isClearBefore: () => false }, barrier: { state: () => 'closed' } });
    expect(kindOf(aside.admission.blockHeld('held', unit(), aside.hold(eventScope(unit().key), 7n)))).toBe('may start');
  });

  it('that was planned is asked for connector, scope and breaker', () => {
    const stopped = lab({ connector: paused });
    expect(kindOf(stopped.admission.blockHeld('planned', unit(), stopped.hold(laneScope('c'), 7n)))).toBe('stopped');
    const broken = lab({ flowBreakers: { ...closedBreakers, refusal: () => refusal } });
    expect(kindOf(broken.admission.blockHeld('planned', unit(), broken.hold(laneScope('c'), 7n)))).toBe('breaker');
    const calm = lab({ lanes: { isClearBefore: () => false }, barrier: { state: () => 'closed' } });
    expect(kindOf(calm.admission.blockHeld('planned', unit(), calm.hold(laneScope('c'), 7n)))).toBe('may start');
  });
});

it('an event of a deleted connector takes no recovery attempt, which would wait for its end', async () => {
  const flowBreakers = { ...closedBreakers, claim: () => Promise.resolve(false) };
  expect(await lab({ flowBreakers }).admission.claim(unit())).toBe(false);
  expect(await lab({ flowBreakers, connector: { ...active, deleted: true } }).admission.claim(unit())).toBe(true);
});

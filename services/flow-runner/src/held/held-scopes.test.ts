import { parseScope } from '@sluice/ports';
import type { EventEnvelope } from '@sluice/contracts';
import { unitOf, type Unit } from '../units/unit';
import { type HeldScope, type OpenedScope, waitOn } from './held-scope';
import { createHeldScopes } from './held-scopes';

const lease = { topic: 't', partition: 0, epoch: 1n };
const unit = (offset: bigint, lane = 'c:1'): Unit =>
  unitOf(
    { event_id: 'e', entity_index: 0, run: 'first', connector_id: 'c', lane, accepted_at: '' } as EventEnvelope,
    lease,
    offset,
    null,
  );
const scope = (name: string, headOffset: bigint): OpenedScope => ({
  scope: parseScope(name),
  topic: 't',
  partition: 0,
  connectorId: 'c',
  lane: name.startsWith('connector:') ? null : 'c:1',
  reason: 'retry',
  dueAt: 5,
  headOffset,
});

function lab() {
  const scopes = createHeldScopes();
  const partitionScopes = scopes.open(lease);
  return {
    scopes,
    add: (opened: OpenedScope): HeldScope => scopes.add(opened, lease.epoch),
    due: (now: number): HeldScope[] => partitionScopes.connectors.get('c')?.ready(now, 10) ?? [],
  };
}

describe('held scopes', () => {
  it('are joined by events after their head, not by events before it that are fetched again after a crash', () => {
    const { scopes, add } = lab();
    const lane = add(scope('lane:c:1', 10n));
    expect(scopes.joining(unit(9n), null, null)).toBeUndefined();
    expect(scopes.joining(unit(10n), null, null)).toBe(lane);
    expect(scopes.joining(unit(11n, 'c:2'), null, null)).toBeUndefined();
  });

  it('block an event that runs from a wider scope, never one from a narrower scope', () => {
    const { scopes, add } = lab();
    const [connector, lane, flow] = ['connector:c', 'lane:c:1', 'flow:c:1|f'].map((name) => add(scope(name, 0n)));
    expect(scopes.joining(unit(1n, 'c:2'), 'f', null)).toBe(connector);
    expect(scopes.joining(unit(1n), 'f', connector!)).toBe(lane);
    expect(scopes.joining(unit(1n), 'f', lane!)).toBe(flow);
    expect(scopes.joining(unit(1n), 'f', flow!)).toBeUndefined();
    expect(scopes.joining(unit(1n), 'other', lane!)).toBeUndefined();
  });

  it('keep a lane in one scope: an event that waits for its connector joins the scope of its lane if there is one', () => {
    const { scopes, add } = lab();
    const connector = add(scope('connector:c', 0n));
    expect(scopes.joining(unit(5n), 'f', null)).toBe(connector);
    const lane = add(scope('lane:c:1', 7n));
    expect(scopes.joining(unit(5n), 'f', null)).toBe(lane);
    expect(scopes.joining(unit(5n), 'f', connector)).toBe(lane);
    expect(scopes.joining(unit(5n, 'c:2'), 'f', connector)).toBeUndefined();
  });

  it('go live only when no row is left and no hold is being written', () => {
    const { scopes, add } = lab();
    const lane = add(scope('lane:c:1', 0n));
    lane.pendingHolds = 1;
    expect(scopes.liveIfEmpty(lane, 0)).toBe(false);
    lane.pendingHolds = 0;
    expect(scopes.liveIfEmpty(lane, 2)).toBe(false);
    expect(scopes.liveIfEmpty(lane, 0)).toBe(true);
    expect(scopes.joining(unit(1n), null, null)).toBeUndefined();
  });

  it('are due by time, or at once after a change of state, and never twice', () => {
    const { scopes, add, due } = lab();
    const lane = add(scope('lane:c:1', 0n));
    const paused = add({ ...scope('connector:c', 0n), dueAt: null });
    expect(due(4)).toEqual([paused]);
    expect(due(5)).toEqual([paused, lane]);
    scopes.began(paused);
    expect(due(5)).toEqual([lane]);
    scopes.began(lane);
    lane.notBefore = 9;
    scopes.ended(lane);
    expect(due(8)).toEqual([]);
    expect(due(9)).toEqual([lane]);
  });

  it('are due at the time of their newest hold; those due longest are first', () => {
    const { add, due } = lab();
    const [one, two] = [add(scope('lane:c:1', 0n)), add({ ...scope('lane:c:2', 1n), dueAt: 6 })];
    expect(due(6)).toEqual([one, two]);
    add({ ...scope('lane:c:1', 2n), dueAt: 7 });
    add({ ...scope('lane:c:1', 3n), dueAt: null });
    expect(due(6)).toEqual([two]);
    expect(due(7)).toEqual([two, one]);
  });

  it('of a connector that waits for its portal are always due: the gate of the portal decides', () => {
    const { scopes, add, due } = lab();
    const connector = add({ ...scope('connector:c', 0n), reason: 'portal_dry' });
    const lane = add({ ...scope('lane:c:1', 0n), reason: 'portal_dry' });
    expect(due(4)).toEqual([connector]);
    expect(due(5)).toEqual([connector, lane]);
    scopes.began(connector);
    waitOn(connector, { dueAt: 99, reason: 'portal_dry' });
    scopes.ended(connector);
    expect(due(4)).toEqual([connector]);
    scopes.began(connector);
    connector.notBefore = 5;
    scopes.ended(connector);
    expect(due(4)).toEqual([]);
  });

  it('of an ended ownership are forgotten', () => {
    const { scopes, due } = lab();
    scopes.add(scope('lane:c:1', 0n), 0n);
    expect(due(5)).toEqual([]);
    expect(scopes.joining(unit(1n), null, null)).toBeUndefined();
  });
});

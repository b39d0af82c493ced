import type { EventEnvelope } from '@sluice/contracts';
import { unitOf, type Unit } from '../units/unit';
import { createHeldScopes, type OpenedScope } from './held-scopes';

const lease = { topic: 't', partition: 0, epoch: 1n };
const unit = (offset: bigint, lane = 'c:1'): Unit => unitOf({ event_id: 'e', entity_index: 0, run: 'first', connector_id: 'c', lane, accepted_at: '' } as EventEnvelope, lease, offset, null);
const scope = (name: string, headOffset: bigint): OpenedScope => ({ scope: name, topic: 't', partition: 0, connectorId: 'c', reason: 'retry', dueAt: 5, headOffset });

describe('held scopes', () => {
  it('are joined by what comes behind their head, not by what a crash made come again', () => {
    const scopes = createHeldScopes();
    const lane = scopes.add(scope('lane:c:1', 10n));
    expect(scopes.joining(unit(9n), null, null)).toBeUndefined();
    expect(scopes.joining(unit(10n), null, null)).toBe(lane);
    expect(scopes.joining(unit(11n, 'c:2'), null, null)).toBeUndefined();
  });

  it('hinder what runs from a wider scope, never what runs from a narrower one', () => {
    const scopes = createHeldScopes();
    const [connector, lane, flow] = ['connector:c', 'lane:c:1', 'flow:c:1|f'].map((name) => scopes.add(scope(name, 0n)));
    expect(scopes.joining(unit(1n, 'c:2'), 'f', null)).toBe(connector);
    expect(scopes.joining(unit(1n), 'f', connector!)).toBe(lane);
    expect(scopes.joining(unit(1n), 'f', lane!)).toBe(flow);
    expect(scopes.joining(unit(1n), 'f', flow!)).toBeUndefined();
    expect(scopes.joining(unit(1n), 'other', lane!)).toBeUndefined();
  });

  it('keep a lane in one place: what waits for its connector joins what already waits in its lane, older or not', () => {
    const scopes = createHeldScopes();
    const connector = scopes.add(scope('connector:c', 0n));
    expect(scopes.joining(unit(5n), 'f', null)).toBe(connector);
    const lane = scopes.add(scope('lane:c:1', 7n));
    expect(scopes.joining(unit(5n), 'f', null)).toBe(lane);
    expect(scopes.joining(unit(5n), 'f', connector)).toBe(lane);
    expect(scopes.joining(unit(5n, 'c:2'), 'f', connector)).toBeUndefined();
  });

  it('go live only when nothing is left, holds still being written included', () => {
    const scopes = createHeldScopes();
    const lane = scopes.add(scope('lane:c:1', 0n));
    lane.pendingHolds = 1;
    expect(scopes.liveIfEmpty(lane, 0)).toBe(false);
    lane.pendingHolds = 0;
    expect(scopes.liveIfEmpty(lane, 2)).toBe(false);
    expect(scopes.liveIfEmpty(lane, 0)).toBe(true);
    expect(scopes.joining(unit(1n), null, null)).toBeUndefined();
  });

  it('are due by time, or at once when they wait for a state, and never twice', () => {
    const scopes = createHeldScopes();
    const lane = scopes.add(scope('lane:c:1', 0n));
    const paused = scopes.add({ ...scope('connector:c', 0n), dueAt: null });
    expect(scopes.due(4, () => true)).toEqual([paused]);
    expect(scopes.due(5, () => true)).toEqual([lane, paused]);
    paused.draining = true;
    expect(scopes.due(5, () => true)).toEqual([lane]);
    expect(scopes.due(5, () => false)).toEqual([]);
    lane.notBefore = 9;
    expect(scopes.due(8, () => true)).toEqual([]);
    expect(scopes.due(9, () => true)).toEqual([lane]);
  });

  it('of a connector that waits for its portal are due at any time: the gate of the portal decides', () => {
    const scopes = createHeldScopes();
    const connector = scopes.add({ ...scope('connector:c', 0n), reason: 'portal_dry' });
    const lane = scopes.add({ ...scope('lane:c:1', 0n), reason: 'portal_dry' });
    expect(scopes.due(4, () => true)).toEqual([connector]);
    expect(scopes.due(5, () => true)).toEqual([connector, lane]);
    connector.notBefore = 5;
    expect(scopes.due(4, () => true)).toEqual([]);
  });
});

import { compileConfig } from '@sluice/config-model';
import type { ConnectorChange } from '@sluice/contracts';
import { projectRecord } from '@sluice/flow-engine';
import { tinyConfig } from '../test-support/tiny-config';
import { testUnit } from '../test-support/units';
import { matchOf, plannedEvent, planUnit } from './plan-unit';
import { flowNameOf } from './unit';

const connector = { connector_id: 'c', default_store_id: null, active_version: 4 } as ConnectorChange;
const config = compileConfig(tinyConfig);
const payload = { number: 'A-1', title: 'Order A-1' };
const nothing = { writes: [], reads: [] };

describe('plan of a unit', () => {
  it('names the flow, and lets orders of different records run together', () => {
    const first = planUnit(testUnit({ payload }), connector, config);
    const second = planUnit(testUnit({ payload: { ...payload, number: 'A-2' } }), connector, config);
    expect([first, second]).toMatchObject([{ flowName: 'orders', convoy: true }, { flowName: 'orders', convoy: true }]);
    expect(first.touches!.writes).not.toEqual([]);
    expect(second.touches!.writes.filter((key) => first.touches!.writes.includes(key))).toEqual([]);
  });

  it('shows when two events touch the same record', () => {
    const first = planUnit(testUnit({ payload }), connector, config);
    const again = planUnit(testUnit({ payload: { ...payload, title: 'Order A-1, changed' } }), connector, config);
    expect(again.touches!.writes).toEqual(first.touches!.writes);
  });

  it('touches nothing when no flow runs', () => {
    expect(planUnit(testUnit({ event_type: 'other.thing' }), connector, config)).toEqual({
      version: 4,
      match: 'none',
      flowName: null,
      sourceName: 'event_api',
      convoy: true,
      touches: nothing,
    });
    expect(planUnit(testUnit({ payload }), connector, null)).toEqual({
      version: 4,
      match: 'none',
      flowName: null,
      sourceName: 'event_api',
      convoy: true,
      touches: nothing,
    });
  });

  it('allows no convoy on a lane of one record, which is strictly ordered', () => {
    expect(planUnit(testUnit({ payload, lane: 'c:order:A-1' }), connector, config)).toEqual({
      version: 4,
      match: 'flow',
      flowName: 'orders',
      sourceName: 'event_api',
      convoy: false,
      touches: null,
    });
    expect(planUnit(testUnit({ event_type: 'other.thing', lane: 'c:order:A-1' }), connector, config)).toMatchObject({
      flowName: null,
      sourceName: 'event_api',
      convoy: false,
    });
  });

  it('allows no convoy when its payload is in the blob store: what it touches is unknown', () => {
    const unit = testUnit({ payload_ref: { key: 'k', bytes: 300_000 } });
    delete unit.envelope.payload;
    expect(planUnit(unit, connector, config)).toEqual({
      version: 4,
      match: 'flow',
      flowName: 'orders',
      sourceName: 'event_api',
      convoy: false,
      touches: null,
    });
  });
});

describe('values that a plan has computed from its event', () => {
  /** An event that counts how often its record's number is read, and what its attempt reads and spends. */
  const lab = (planned: ConnectorChange | null, { started = connector, runs = config } = {}) => {
    let reads = 0;
    const counted = { get number() { reads += 1; return 'A-1'; }, title: 'Order A-1' };
    const unit = testUnit({ payload: counted });
    if (planned) unit.plan = planUnit(unit, planned, config);
    const byPlan = reads;
    const flow = runs.flows.get('orders')!;
    const ctx = flow.contextOf(plannedEvent(unit, unit.envelope.payload, started));
    const written = projectRecord(flow.entities.get('order')!, ctx);
    return { written, byPlan, byAttempt: reads - byPlan, spent: ctx.budget.spent };
  };

  it('are reused by the attempt, and cost it as much as computing them', () => {
    const [alone, planned] = [lab(null), lab(connector)];
    expect([alone, planned]).toMatchObject([{ byPlan: 0, byAttempt: 1 }, { byPlan: 1, byAttempt: 0 }]);
    expect([planned.written, planned.spent]).toEqual([alone.written, alone.spent]);
  });

  it('are computed again under another config version, and when the event has another store now', () => {
    const moved = { ...connector, default_store_id: 'store-2' } as ConnectorChange;
    expect(lab(connector, { started: moved })).toMatchObject({ byPlan: 1, byAttempt: 1 });
    expect(lab(connector, { runs: compileConfig(tinyConfig) })).toMatchObject({ byPlan: 1, byAttempt: 1 });
  });
});

describe('the flow that a unit runs', () => {
  const orders = config.flows.get('orders')!;
  const disabled = compileConfig({ ...tinyConfig, flows: tinyConfig.flows.map((flow) => ({ ...flow, enabled: false })) });

  it('is the one of its plan, without matching again', () => {
    const unit = testUnit({ payload });
    unit.plan = planUnit(unit, connector, config);
    const unasked = { ...config, match: () => { throw new Error('matched again'); } };
    expect(matchOf(unit, unasked)).toEqual({ kind: 'flow', flow: orders });
    expect(flowNameOf(unit)).toBe('orders');
  });

  it('is matched when the unit could not be planned', () => {
    expect(matchOf(testUnit({ payload }), config)).toEqual({ kind: 'flow', flow: orders });
    expect(matchOf(testUnit({ event_type: 'other.thing' }), config)).toEqual({ kind: 'none' });
    expect(matchOf(testUnit({ payload }), null)).toEqual({ kind: 'none' });
  });

  it('may be a disabled one: the unit ends with its name, and joins no scope of it', () => {
    const unit = testUnit({ payload });
    unit.plan = planUnit(unit, connector, disabled);
    expect(unit.plan).toMatchObject({ match: 'disabled', flowName: 'orders' });
    expect(matchOf(unit, disabled)).toMatchObject({ kind: 'disabled', flow: { name: 'orders' } });
    expect(flowNameOf(unit)).toBeNull();
  });
});

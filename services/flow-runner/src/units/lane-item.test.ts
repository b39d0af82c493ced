import type { Touches } from '@sluice/flow-engine';
import { testUnit } from '../test-support/units';
import { laneItem } from './lane-item';
import type { Unit } from './unit';

const nothing = { writes: [], reads: [] };

const planned = (unit: Unit, convoy: boolean, touches: Touches | null): Unit => ({
  ...unit,
  plan: { version: 1, match: 'flow', flowName: 'orders', sourceName: 's', convoy, touches },
});

describe('the lane item of a unit', () => {
  const unit = testUnit({ lane: 'c:order:A-1' }, 12n);

  it('has its lane, and its connector as the group', () => {
    expect(laneItem(unit)).toEqual({
      partition: 3,
      offset: 12n,
      lane: 'c:order:A-1',
      group: 'c',
      value: unit,
      bytes: 1_548,
    });
  });

  it('counts what its payload takes in memory', () => {
    const large = testUnit({ payload: { text: 'x'.repeat(10_000) } });
    expect(laneItem(large).bytes).toBe(1_500 + 10_000 + 2 * 48);
  });

  it('may join a convoy only with what it touches', () => {
    expect(laneItem(planned(unit, true, nothing))).toMatchObject({ convoy: true, touches: nothing });
    expect(laneItem(planned(unit, false, nothing))).not.toHaveProperty('touches');
    expect(laneItem(planned(unit, true, null))).not.toHaveProperty('convoy');
  });
});

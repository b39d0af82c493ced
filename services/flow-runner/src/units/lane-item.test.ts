import { testUnit } from '../test-support/units';
import { laneItem } from './lane-item';

const nothing = { writes: [], reads: [] };

describe('a unit as the lanes see it', () => {
  const unit = testUnit({ lane: 'c:order:A-1' }, 12n);

  it('stands in its lane, in turn with others of its connector', () => {
    expect(laneItem(unit, { convoy: false, touches: null })).toEqual({
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
    expect(laneItem(large, { convoy: false, touches: null }).bytes).toBe(1_500 + 10_000 + 2 * 48);
  });

  it('goes in a convoy only with what it touches', () => {
    expect(laneItem(unit, { convoy: true, touches: nothing })).toMatchObject({ convoy: true, touches: nothing });
    expect(laneItem(unit, { convoy: false, touches: nothing })).not.toHaveProperty('touches');
    expect(laneItem(unit, { convoy: true, touches: null })).not.toHaveProperty('convoy');
  });
});

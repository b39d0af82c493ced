import { testUnit } from '../test-support/units';
import { laneItem } from './lane-item';

const nothing = { writes: [], reads: [] };

describe('a unit as the lanes see it', () => {
  const unit = testUnit({ lane: 'c:order:A-1' }, 12n);

  it('stands in its lane, in turn with others of its connector', () => {
    expect(laneItem(unit, { convoy: false, touches: null })).toEqual({ partition: 3, offset: 12n, lane: 'c:order:A-1', group: 'c', value: unit });
  });

  it('goes in a convoy only with what it touches', () => {
    expect(laneItem(unit, { convoy: true, touches: nothing })).toMatchObject({ convoy: true, touches: nothing });
    expect(laneItem(unit, { convoy: false, touches: nothing })).not.toHaveProperty('touches');
    expect(laneItem(unit, { convoy: true, touches: null })).not.toHaveProperty('convoy');
  });
});

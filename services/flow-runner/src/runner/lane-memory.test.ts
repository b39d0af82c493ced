import { laneMemory } from './lane-memory';

describe('the memory of lanes', () => {
  it('shares what a runner may take between its topics, four full partitions each', () => {
    expect(laneMemory({ eventMemoryBytes: 3_200, topics: ['a', 'b'] })).toEqual({ maxTotalBytes: 1_600, maxBytes: 400, maxBytesPerGroup: 100 });
  });
});

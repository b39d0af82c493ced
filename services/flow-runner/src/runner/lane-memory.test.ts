import { laneMemory, readMemoryBytes } from './lane-memory';

describe('the memory of lanes', () => {
  it('shares what a runner may take between what is read back and its topics, four full partitions each', () => {
    expect(readMemoryBytes({ eventMemoryBytes: 3_200 })).toBe(800);
    expect(laneMemory({ eventMemoryBytes: 3_200, topics: ['a', 'b'] }))
      .toEqual({ maxTotalBytes: 1_200, maxBytes: 300, maxBytesPerGroup: 75 });
  });
});

import { laneMemory, readMemoryBytes } from './lane-memory';

describe('the memory of lanes', () => {
  it('divides the runner\'s memory between held events and the topics, with four full partitions each', () => {
    expect(readMemoryBytes({ eventMemoryBytes: 3_200 })).toBe(800);
    expect(laneMemory({ eventMemoryBytes: 3_200, topics: ['a', 'b'] }))
      .toEqual({ maxTotalBytes: 1_200, maxBytes: 300, maxBytesPerGroup: 75 });
  });
});

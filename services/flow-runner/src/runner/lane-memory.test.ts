import type { ReceivedMessage } from '@sluice/ports';
import { laneMemory, slicesOf } from './lane-memory';

const message = (offset: number, bytes: number): ReceivedMessage =>
  ({ partition: 0, offset: BigInt(offset), timestamp: 0, key: 'k', value: bytes === 0 ? null : Buffer.alloc(bytes) });
const sizes = (batch: ReceivedMessage[]): number[][] => slicesOf(batch, 100).map((part) => part.map(({ offset }) => Number(offset)));

describe('the memory of lanes', () => {
  it('shares what a runner may take between its topics, four full partitions each', () => {
    expect(laneMemory({ eventMemoryBytes: 3_200, topics: ['a', 'b'] }))
      .toEqual({ maxTotalBytes: 1_600, maxBytes: 400, maxBytesPerGroup: 100, sliceBytes: 25 });
  });

  it('takes a batch in parts, in order, one message at least', () => {
    expect(sizes([message(0, 60), message(1, 40), message(2, 1), message(3, 500), message(4, 0), message(5, 99)]))
      .toEqual([[0, 1], [2], [3], [4, 5]]);
    expect(sizes([])).toEqual([]);
  });
});

import type { Unit } from '../units/unit';
import { laneMemory, lanesOf, readMemoryBytes } from './lane-memory';
import type { RunnerOptions } from './runner-deps';

it('connectors of one portal share half of the places in flight', () => {
  const options = { maxInFlight: 8, maxBuffered: 100, maxPerConnector: 100, maxConvoy: 1, eventMemoryBytes: 1e9, topics: ['a'] };
  const lanes = lanesOf(options as unknown as RunnerOptions, (connector) => connector.slice(0, 1));
  lanes.assign(0, 1n);
  const groups = [...'123'].flatMap((n) => Array.from({ length: 8 }, () => `p${n}`));
  lanes.add(groups.map((group, offset) =>
    ({ partition: 0, offset: BigInt(offset), lane: `${group}:${offset}`, group, value: {} as Unit })), 0, 1n);
  expect(lanes.take(8)).toHaveLength(4);
});

describe('the memory of lanes', () => {
  it('divides the runner\'s memory between held events and the topics, with four full partitions each', () => {
    expect(readMemoryBytes({ eventMemoryBytes: 3_200 })).toBe(800);
    expect(laneMemory({ eventMemoryBytes: 3_200, topics: ['a', 'b'] }))
      .toEqual({ maxTotalBytes: 1_200, maxBytes: 300, maxBytesPerConnector: 75 });
  });
});

import { createKeyLanes, type KeyLanes } from '@sluice/key-lanes';
import type { Unit } from '../units/unit';
import type { RunnerOptions } from './runner-deps';

/** Partitions that may be full at once; of more of them each has its share of as much. */
const fullPartitions = 4;

/** Connectors of which each may fill its part of a partition before its events are set aside. */
const fullConnectors = 4;

/** Part of what the events of a runner may take that is for what is read back: held events and large payloads (ReadMemory). */
const readBack = 1 / 4;

export const readMemoryBytes = ({ eventMemoryBytes }: Pick<RunnerOptions, 'eventMemoryBytes'>): number =>
  Math.ceil(eventMemoryBytes * readBack);

/** Bounds in bytes of the lanes of one topic: topics share what the events of a runner may take, but for what is read back. */
export interface LaneMemory {
  maxTotalBytes: number;
  maxBytes: number;
  maxBytesPerGroup: number;
}

export function laneMemory({ eventMemoryBytes, topics }: Pick<RunnerOptions, 'eventMemoryBytes' | 'topics'>): LaneMemory {
  const maxTotalBytes = Math.ceil((eventMemoryBytes * (1 - readBack)) / topics.length);
  const maxBytes = Math.ceil(maxTotalBytes / fullPartitions);
  return { maxTotalBytes, maxBytes, maxBytesPerGroup: Math.ceil(maxBytes / fullConnectors) };
}

/** The lanes of one topic of a runner. */
export function lanesOf(options: RunnerOptions): KeyLanes<Unit> {
  const { maxInFlight, maxBuffered, maxPerConnector: maxPerGroup, maxConvoy } = options;
  const { maxTotalBytes, maxBytes, maxBytesPerGroup } = laneMemory(options);
  const maxTotal = maxBuffered * fullPartitions;
  return createKeyLanes({
    maxInFlight,
    maxBuffered,
    maxTotal,
    maxPerGroup,
    maxConvoy,
    maxTotalBytes,
    maxBytes,
    maxBytesPerGroup,
  });
}

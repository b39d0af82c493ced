import { createKeyLanes, type KeyLanes } from '@sluice/key-lanes';
import type { ReceivedMessage } from '@sluice/ports';
import type { Unit } from '../units/unit';
import type { RunnerOptions } from './runner-deps';

/** Partitions that may be full at once; of more of them each has its share of as much. */
const fullPartitions = 4;

/** Connectors of which each may fill its part of a partition before its events are set aside. */
const fullConnectors = 4;

/** Slices in which a partition is filled: what is decoded at once, and not counted yet. */
const slices = 16;

/** Bounds in bytes of the lanes of one topic: topics share what the events of a runner may take. */
export interface LaneMemory {
  maxTotalBytes: number;
  maxBytes: number;
  maxBytesPerGroup: number;
  /** Bytes of messages that are decoded at once. */
  sliceBytes: number;
}

export function laneMemory({ eventMemoryBytes, topics }: Pick<RunnerOptions, 'eventMemoryBytes' | 'topics'>): LaneMemory {
  const maxTotalBytes = Math.ceil(eventMemoryBytes / topics.length);
  const maxBytes = Math.ceil(maxTotalBytes / fullPartitions);
  return { maxTotalBytes, maxBytes, maxBytesPerGroup: Math.ceil(maxBytes / fullConnectors), sliceBytes: Math.ceil(maxBytes / slices) };
}

/** The lanes of one topic of a runner. */
export function lanesOf(options: RunnerOptions): KeyLanes<Unit> {
  const { maxInFlight, maxBuffered, maxPerConnector: maxPerGroup, maxConvoy } = options;
  const { maxTotalBytes, maxBytes, maxBytesPerGroup } = laneMemory(options);
  const maxTotal = maxBuffered * fullPartitions;
  return createKeyLanes({ maxInFlight, maxBuffered, maxTotal, maxPerGroup, maxConvoy, maxTotalBytes, maxBytes, maxBytesPerGroup });
}

/** A batch in parts of at most so many bytes; a message above that is a part of its own. */
export function slicesOf(batch: readonly ReceivedMessage[], bytes: number): ReceivedMessage[][] {
  const parts: ReceivedMessage[][] = [];
  let size = Infinity;
  for (const message of batch) {
    const length = message.value?.length ?? 0;
    if (size + length > bytes) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(message);
    size += length;
  }
  return parts;
}

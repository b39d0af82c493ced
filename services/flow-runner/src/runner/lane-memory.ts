import { createKeyLanes, type KeyLanes } from '@sluice/key-lanes';
import type { Unit } from '../units/unit';
import type { RunnerOptions } from './runner-deps';

/** Partitions that may be full at the same time; with more partitions each has a smaller share. */
const fullPartitions = 4;

/** Connectors that share a partition: each may fill its part before its events are held. */
const fullConnectors = 4;

/** The part of the runner's event memory for held events and large payloads (ReadMemory). */
const readBack = 1 / 4;

export const readMemoryBytes = ({ eventMemoryBytes }: Pick<RunnerOptions, 'eventMemoryBytes'>): number =>
  Math.ceil(eventMemoryBytes * readBack);

/** Bounds in bytes of the lanes of one topic: the topics share the rest of the runner's event memory. */
export interface LaneMemory {
  maxTotalBytes: number;
  maxBytes: number;
  /** What one connector has of a full partition before its events are held (`BacklogRelief`). */
  maxBytesPerConnector: number;
}

export function laneMemory({ eventMemoryBytes, topics }: Pick<RunnerOptions, 'eventMemoryBytes' | 'topics'>): LaneMemory {
  const maxTotalBytes = Math.ceil((eventMemoryBytes * (1 - readBack)) / topics.length);
  const maxBytes = Math.ceil(maxTotalBytes / fullPartitions);
  return { maxTotalBytes, maxBytes, maxBytesPerConnector: Math.ceil(maxBytes / fullConnectors) };
}

/**
 * The lanes of one topic of a runner. Connectors share the slots in flight, and so do portals.
 * @param poolOf the portal of a connector; null: none is bound
 */
export function lanesOf(options: RunnerOptions, poolOf: (connectorId: string) => string | null): KeyLanes<Unit> {
  const { maxInFlight, maxBuffered, maxConvoy } = options;
  const { maxTotalBytes, maxBytes } = laneMemory(options);
  const maxTotal = maxBuffered * fullPartitions;
  return createKeyLanes({
    maxInFlight,
    maxBuffered,
    maxTotal,
    maxConvoy,
    poolOf,
    maxTotalBytes,
    maxBytes,
  });
}

import type { HeldReason, PartitionRef, RecordRow, UnitKey } from './run-store';

/** One accepted unit as the event index stores it. */
export interface IndexRow {
  eventId: string;
  entityIndex: number;
  entitiesTotal: number;
  organizationId: string;
  connectorId: string;
  sourceName: string;
  eventType: string;
  externalId: string | null;
  lane: string;
  kind: string;
  run: string;
  acceptedAt: string;
  aliases: string[];
  /** JSON text in UTF-8, as it was accepted; null where `payloadRef` says where it lies. */
  payload: Buffer | null;
  payloadRef: string | null;
  /** Bytes of a payload that lies elsewhere. */
  payloadBytes: number | null;
  /** What a replay needs beside this. Each is null where it says the usual: the source's name, the accept time, none, 0. */
  sourceType: string | null;
  timestamp: string | null;
  storeId: string | null;
  orderingEpoch: number | null;
}

/** Everything a status answer needs of one event. */
export interface EventView {
  index: { connectorId: string; entitiesTotal: number; acceptedAt: string; units: number } | null;
  rows: RecordRow[];
  held: { unit: UnitKey; reason: HeldReason; dueAt: number | null }[];
}

/** Messages of a partition whose rows are written together. */
export interface IndexedRange extends PartitionRef {
  /** The index was heard to stand here; it may stand further, but not before: then it was put back to an earlier state. */
  from: bigint;
  /** The next message. */
  next: bigint;
}

/** Where the index stands in a partition: everything before it is written. */
export interface IndexPosition extends PartitionRef {
  next: bigint;
}

/** How far back and how much is looked at. */
export interface RecentBounds {
  /** ISO 8601. */
  since: string;
  limit: number;
  bytes: number;
}

export interface RecentPayload {
  sourceName: string;
  eventType: string;
  payload: unknown;
}

export interface EventIndex {
  /**
   * Writes rows, and in the same transaction how far partitions are written (ADR 0052).
   * @returns the partitions of which the store lacks what was written before, and where they are to be read again
   */
  write(rows: readonly IndexRow[], ranges?: readonly IndexedRange[]): Promise<IndexPosition[]>;
  /** Everything before it is written; 0 for a partition nobody has read, null when it is not known. */
  position(ref: PartitionRef): Promise<bigint | null>;
  /** @param acceptedAt from the event id, bounds the time partitions to look at */
  view(connectorId: string, eventId: string, acceptedAt: string): Promise<EventView>;
  /** The newest payloads of a connector that are no longer than `bytes`, of at most `limit` units, newest first. */
  recentPayloads(connectorId: string, bounds: RecentBounds): Promise<RecentPayload[]>;
  /** Entities accepted by an organization since a time: the truth behind the cached quota counter. */
  acceptedSince(organizationId: string, since: string): Promise<number>;
  /**
   * Creates coming time partitions and drops those past retention (settings SLUICE_HISTORY_RETENTION, SLUICE_PAYLOAD_RETENTION).
   */
  maintain(now: Date, retention: { historyS: number; payloadS: number }): Promise<void>;
}

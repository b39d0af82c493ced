import type { FailureCode, ImportRow } from '@sluice/contracts';
import type { HeldReason, RecordRow } from '../run-store/run-store';
import type { PartitionRef } from '../run-store/partition-ref';
import type { UnitKey } from '../run-store/unit-key';
import type { Retention } from './retention';

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
  /**
   * Further fields that a replay needs. Each is null when it has the usual value: the source's name, the accept time, none, 0.
   */
  sourceType: string | null;
  timestamp: string | null;
  storeId: string | null;
  orderingEpoch: number | null;
  importRow: ImportRow | null;
}

/** An event as the index has it. */
export interface IndexedEvent {
  connectorId: string;
  entitiesTotal: number;
  /** When it was first accepted under this id. */
  acceptedAt: string;
  /** Records of it that are indexed. */
  units: number;
  /** The other ids under which it may have been accepted, of all its messages; each once, in no order. */
  aliases: string[];
}

/** Everything a status answer needs of one event. */
export interface EventView {
  /** null: not written yet, or past the retention of the history. */
  index: IndexedEvent | null;
  /** Past the retention of the history: its rows are shown no longer, only what of it still waits. */
  forgotten: boolean;
  rows: RecordRow[];
  held: { unit: UnitKey; reason: HeldReason; dueAt: number | null; error: string | null; errorCode: FailureCode | null }[];
  /** The newest replay of each of its records that was asked for, ended or not. `askedAt` in milliseconds since the epoch. */
  replays: { unit: UnitKey; askedAt: number }[];
}

/** Messages of a partition whose rows are written together. */
export interface IndexedRange extends PartitionRef {
  /** A position that the index has reached as far as known. If the index is behind it, it was restored to an earlier state. */
  from: bigint;
  /** The next message. */
  next: bigint;
}

/** The position of the index in a partition: everything before it is written. */
export interface IndexPosition extends PartitionRef {
  next: bigint;
}

/** How far back and how many rows are read. */
export interface RecentBounds {
  /** ISO 8601. */
  since: string;
  limit: number;
  bytes: number;
}

export interface RecentPayload {
  sourceName: string;
  eventType: string;
  /** JSON: who reads it decides where it is parsed. */
  payloadText: string;
}

export interface EventIndex {
  /**
   * Writes rows, and in the same transaction up to which offset partitions are written (ADR 0052).
   * @returns the partitions of which the store lacks earlier rows, and the offsets from which to read them again
   */
  write(rows: readonly IndexRow[], ranges?: readonly IndexedRange[]): Promise<IndexPosition[]>;
  /** Everything before it is written; 0 for a partition that was never read, null when it is unknown. */
  position(ref: PartitionRef): Promise<bigint | null>;
  /** @param acceptedAt from the event id, bounds the time partitions to look at */
  view(connectorId: string, eventId: string, acceptedAt: string): Promise<EventView>;
  /** The newest payloads of a connector that are no longer than `bytes`, of at most `limit` units, newest first. */
  recentPayloads(connectorId: string, bounds: RecentBounds): Promise<RecentPayload[]>;
  /**
   * Entities accepted by an organization since the start of a UTC day: the exact count behind the cached quota counter, and what
   * bills go by.
   */
  acceptedSince(organizationId: string, since: string): Promise<number>;
  /**
   * Rows of bulk imports accepted since then that are counted in the quota and not written: they still may be.
   * @param since as above
   */
  reservedSince(organizationId: string, since: string): Promise<number>;
  /** What time it is by the store's clock: rows are deleted by this age, because a machine's clock may be set wrong. */
  storeTime(): Promise<Date>;
  /**
   * Creates future time partitions and drops those past retention (settings SLUICE_HISTORY_RETENTION, SLUICE_PAYLOAD_RETENTION).
   */
  maintain(now: Date, retention: Retention): Promise<void>;
}

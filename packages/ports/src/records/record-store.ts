import type { ImportRow } from '@sluice/contracts';
import type { HeldReason, RecordRow, RecordStatus } from '../run-store/run-store';
import type { UnitKey } from '../run-store/unit-key';

/** A record row as lists show it. */
export interface ListedRecord extends Omit<RecordRow, 'steps'> {
  /** Whether it may be replayed now: its status allows it, and no later run of the record has completed. */
  replayable: boolean;
}

/** Filters of a list. Times are compared with the accept time; `until` is exclusive. */
export interface RecordQuery {
  status?: RecordStatus;
  flow?: string;
  entity?: string;
  externalId?: string;
  eventId?: string;
  since?: Date;
  until?: Date;
  limit: number;
  /** `nextCursor` of the page before; any other text is refused: InvalidCursor. */
  cursor?: string;
}

/**
 * A page may have fewer rows than requested, also none, while there is a next one, because each call reads a bounded number of
 * rows.
 */
export interface RecordPage {
  items: ListedRecord[];
  nextCursor: string | null;
}

/** An event that waits, as lists show it. Times are ISO 8601. */
export interface ListedHeld {
  unit: UnitKey;
  flowName: string | null;
  /** Of its event; null: the event index does not have it yet, or not any more. */
  eventType: string | null;
  externalId: string | null;
  acceptedAt: string | null;
  reason: HeldReason;
  /** null: it waits for a change of state. */
  until: string | null;
  attempts: number;
  /** What its last attempt said. */
  error: string | null;
  errorCode: RecordRow['errorCode'];
  heldSince: string;
}

export interface HeldQuery {
  reason?: HeldReason;
  flow?: string;
  limit: number;
  /** `nextCursor` of the page before; any other text is refused: InvalidCursor. */
  cursor?: string;
}

/** As of `RecordPage`. */
export interface HeldPage {
  items: ListedHeld[];
  nextCursor: string | null;
}

/** The payload of an accepted event, as JSON, or where it is; null: it is no longer kept. */
export type KeptPayload = { text: string } | { ref: { key: string; bytes: number | null } } | null;

/** An accepted event as the event index has it. */
export interface AcceptedUnit {
  eventId: string;
  entityIndex: number;
  entitiesTotal: number;
  sourceName: string;
  sourceType: string | null;
  eventType: string;
  externalId: string | null;
  lane: string;
  acceptedAt: string;
  timestamp: string | null;
  storeId: string | null;
  orderingEpoch: number;
  /** The row of a bulk import that it stands for. */
  importRow: ImportRow | null;
}

export interface RecordCounts {
  byStatus: Partial<Record<RecordStatus, number>>;
  /** Skipped records by flow; those that no flow matched under the empty name. */
  skipsByFlow: Record<string, number>;
  /** Rows that were counted, newest first, and whether there are more. */
  scanned: number;
  capped: boolean;
}

/** A row, with its event where the index still has it, that a replay begins with. */
export interface ReplaySource {
  row: Pick<RecordRow, 'id' | 'unit' | 'status'>;
  /** When the replay was asked for, by the store's clock. */
  askedAt: Date;
  accepted: AcceptedUnit;
  payload: NonNullable<KeptPayload>;
}

/**
 * `status` of the refusals: that of the row; `processing` while a replay is under way, `completed` once one has arrived.
 * `gone`: the event or its payload is past its retention.
 */
export type ReplayAnswer<T> =
  | { ok: true; eventId: string; value: T }
  | { ok: false; reason: 'not_found' }
  | { ok: false; reason: 'not_replayable' | 'force_required'; status: RecordStatus | 'processing' }
  | { ok: false; reason: 'gone'; status: RecordStatus };

/** A row whole. `accepted`: its event, where the index still has it. */
export interface ReadRecord {
  row: RecordRow;
  replayable: boolean;
  payload: KeptPayload;
  accepted: AcceptedUnit | null;
}

/** Outcomes of records as people read them, and their replays. Any method may throw `StoreUnavailable`. */
export interface RecordStore {
  list(connectorId: string, query: RecordQuery): Promise<RecordPage>;
  /** Held events of a connector, those of each partition in the order in which they were accepted. */
  listHeld(connectorId: string, query: HeldQuery): Promise<HeldPage>;
  /** A row with its steps and its event's payload; null: the connector has no such row. */
  get(connectorId: string, id: string): Promise<ReadRecord | null>;
  count(connectorId: string, range: { since?: Date; until?: Date }): Promise<RecordCounts>;
  /**
   * Marks a record as being replayed and publishes the replay, both or neither: when `publish` throws, the mark is undone.
   * @param run names the new run of the unit
   * @param lostAfterMs a replay without any progress for this time counts as lost, unless it is held: another one may be made
   */
  replay<T>(
    asked: { connectorId: string; id: string; run: string; force: boolean; lostAfterMs: number },
    publish: (source: ReplaySource) => Promise<T>,
  ): Promise<ReplayAnswer<T>>;
}

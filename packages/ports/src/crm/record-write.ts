import type { OutcomeReason, PropertyValue, RecordTarget } from '@sluice/contracts';

/** How a write treats properties that were last edited outside of Sluice (docs/reference/conflicts.md). */
export interface Arbitration {
  strategy: 'target_wins' | 'most_recent';
  /** Each property is compared with its own last edit; else all of them with the newest of these edits. */
  perProperty: boolean;
  /** When the source changed its record, ISO 8601; null: the event does not say. */
  modifiedAt: string | null;
}

export interface RecordWrite extends RecordTarget {
  properties: Record<string, PropertyValue>;
  /** An existing record on which more of these would change is refused (code `identity_guard`, quarantined). */
  guard?: { properties: string[]; max_changed: number } | null;
  /** Absent: the source wins, and nothing is checked. */
  conflicts?: Arbitration | null;
  /** The most records of one call that it may be part of (`chunk_size` of a bulk step). Default: the CRM's own limit. */
  chunkSize?: number;
  /**
   * When the first attempt of the event began whose write of this record got no answer, milliseconds since the epoch, by the
   * store's clock: a record that was made since then was created by this event. Absent: none is known of.
   */
  unansweredSince?: number;
}

/** The answer of every write to the CRM. */
export interface RecordWriteResult {
  crm_id: string | null;
  created: boolean;
  updated: boolean;
  skipped: boolean;
  /** Why nothing was written, for example `superseded`. A write that changes nothing is `updated`. */
  reason: OutcomeReason | null;
  /** Values that were not written although the record was; absent when all were. */
  warnings?: WriteWarning[];
}

/**
 * A property that was left out because the CRM does not know it or lets nobody write it, or a life cycle stage that the CRM did
 * not take because it moves forward only.
 */
export interface WriteWarning {
  property: string;
  code: 'unknown_property' | 'read_only_property' | 'not_taken';
}

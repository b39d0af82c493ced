/** One event that a source brings, before it has an id. */
export interface SourceEvent {
  /** Concrete type, by which flows are found. */
  eventType: string;
  /** The id of its record in the source system. */
  externalId: string | null;
  /** Orders events of one record. */
  recordKey: string | null;
  /** Business time, ISO 8601 UTC; null: the accept time. */
  timestamp: string | null;
  payload: unknown;
  /** The same value of the same source within 24 hours is the same event. null: nothing names it. */
  dedupe: string | null;
}

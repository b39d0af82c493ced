export type ConflictWinner = 'source' | 'target';

/** A property that an event and an edit outside of Sluice both wanted to set (docs/reference/conflicts.md). */
export interface ConflictRecord {
  /** Deterministic per (unit, record, property). UUID. */
  id: string;
  connectorId: string;
  entityName: string;
  externalId: string | null;
  crmId: string;
  property: string;
  /** The value of the event; null: it clears the property. */
  sourceValue: string | null;
  /** The value in the CRM. */
  targetValue: string | null;
  /** ISO 8601; null: the CRM did not say. */
  targetModifiedAt: string | null;
  /** The person, else the app or the kind of source. */
  targetModifiedBy: string | null;
  winner: ConflictWinner;
  /** ISO 8601. */
  createdAt: string;
}

/** Filters of a list of conflicts. */
export interface ConflictQuery {
  entity?: string;
  externalId?: string;
  property?: string;
  winner?: ConflictWinner;
  limit: number;
  /** `nextCursor` of the page before; any other text is refused: InvalidCursor. */
  cursor?: string;
}

/** Conflicts that are counted at most. */
export const conflictsCounted = 100_000;

/** The conflict records of a connector, newest first. Any method may throw `StoreUnavailable`. */
export interface ConflictStore {
  list(connectorId: string, query: ConflictQuery): Promise<{ items: ConflictRecord[]; nextCursor: string | null }>;
  /** At most `conflictsCounted`. */
  count(connectorId: string): Promise<number>;
}

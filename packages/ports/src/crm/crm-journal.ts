import type { CallOptions, CrmResult } from './crm-call';

/** A file of the CRM's change journal, before it is downloaded. */
export interface JournalEntry {
  /** Names its place: passed to `journalAfter` for those behind it. */
  offset: string;
  /** Signed, and good for a short time. */
  url: string;
}

/** A change of a record as the journal tells of it. Fields that the CRM adds are kept in `raw`. */
export interface JournalEvent {
  portalId: string;
  /** As the CRM names it: `CREATE`, `UPDATE`, `MERGE`. */
  action: string;
  /** For example `0-1`. */
  objectTypeId: string;
  objectId: string;
  /** ISO 8601; null: the CRM gave none. */
  occurredAt: string | null;
  /** Values after the change, by property. */
  changes: Readonly<Record<string, string | null>>;
  /** The losers of a merge. */
  mergedIds: string[];
  raw: Readonly<Record<string, unknown>>;
}

/** What the journal tells of a portal. Empty lists mean all. */
export interface JournalSubscription {
  portalId: string;
  /** Its id, or the name of a custom type. */
  objectType: string;
  properties: readonly string[];
}

/**
 * The change journal of the CRM: one for the app, over all portals that installed it (docs/reference/crm-api.md, Change journal).
 * Calls are authenticated as the app.
 */
export interface CrmJournal {
  /** The newest file. null: there is none. */
  journalLatest(options: CallOptions): Promise<CrmResult<JournalEntry | null>>;
  /** The files behind an offset, oldest first; of the whole journal for null. `expired`: the CRM no longer knows the offset. */
  journalAfter(offset: string | null, count: number, options: CallOptions): Promise<CrmResult<JournalEntry[] | 'expired'>>;
  /** The changes of records in a file, in order; what is no change of a record is left out. */
  journalFile(entry: JournalEntry, options: CallOptions): Promise<CrmResult<JournalEvent[]>>;
  /** Adds a subscription, or changes the one of the same portal and type. @returns the id of the type */
  journalSubscribe(subscription: JournalSubscription, options: CallOptions): Promise<CrmResult<string>>;
  /** Ends all subscriptions of a portal. */
  journalUnsubscribe(portalId: string, options: CallOptions): Promise<CrmResult<null>>;
}

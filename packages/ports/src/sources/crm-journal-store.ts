import type { SourceRef } from './source-read-store';
import type { Fence } from '../tasks/task-store';

/** The worker that reads the CRM's journal. */
export const journalWorker = 'crm.journal';

/** The `last_error` of a crm source whose place in the journal was lost. It stays until a rebind, or until it is confirmed. */
export const journalOffsetExpired = 'journal_offset_expired';

/**
 * A published source of the journal that is on, and the portal that its connector is bound to. A closed organization has none;
 * one that is suspended or closing has: its changes wait.
 */
export interface JournalReader extends SourceRef {
  portalId: string;
  /** Of its connector, which is bound to that portal. */
  revision: number;
  /** Changes from before are none of its: it was published, or its connector bound to the portal, then. */
  since: Date;
}

/** How far the journal of the CRM was read, and what its sources show of that. */
export interface CrmJournalStore {
  /** Offset of the last file that was read whole. `undefined`: it was never read; null: from its beginning. */
  position(): Promise<string | null | undefined>;
  /** Stores the position and shows it with all sources that are on; a `journal_offset_expired` stays. */
  read(fence: Fence, offset: string | null): Promise<void>;
  /** The position was lost: it is now `offset`, and every source that is on says so. */
  lost(fence: Fence, offset: string | null): Promise<void>;
  /** The journal could not be read: what every source that is on says. */
  failed(error: string): Promise<void>;
  /** Every source that is on, of connectors that are bound to a portal, in organizations that are not closed. */
  readers(): Promise<JournalReader[]>;
}

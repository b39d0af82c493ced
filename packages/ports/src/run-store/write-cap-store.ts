import type { Tier, WriteCapState } from '@sluice/contracts';

/** The cap of a connector's first sync. */
export interface WriteCap {
  state: WriteCapState;
  /** Records after which it trips. */
  limit: number;
  /** Records written so far; once it has tripped, until its release. */
  writes: number;
  trippedAt: Date | null;
}

/** Whether the first syncs of an organization's connectors are capped: never under an enterprise contract. */
export const hasWriteCap = (tier: Tier, review: boolean): boolean => review && tier !== 'enterprise';

/**
 * Whether a batch of writes may be sent. `reservation`: to be settled once the batch has ended; null: nothing counts any more.
 */
export type WriteCapAnswer = { granted: true; reservation: string | null } | { granted: false };

/** The end of a batch. `written`: records that the CRM has written, or may have. */
export interface WriteCapEnd {
  connectorId: string;
  reservation: string;
  written: number;
}

/**
 * The caps of first syncs (ADR 0112). Writes are reserved before each batch: with `writes + reserved < limit` one more batch is
 * granted, so that all runners together pass the limit by at most one batch. A reservation that is not settled in time counts as
 * written. Runners only count; what follows from the counts changes connectors, and is done by config-api. Any method may throw
 * `StoreUnavailable`.
 */
export interface WriteCapStore {
  /** @param ttlMs how long the batch may take at most */
  reserve(connectorId: string, writes: number, ttlMs: number): Promise<WriteCapAnswer>;
  settle(end: WriteCapEnd): Promise<void>;
  /** Trips caps that are reached; their connectors are paused in the same transactions. @returns the connectors */
  tripReached(): Promise<string[]>;
  /** Connectors whose held events are being sent again, and since when. */
  releasing(): Promise<{ connectorId: string; since: Date }[]>;
  /** From `releasing` to `settling`, unless events still wait because of the cap. @returns whether it did */
  settled(connectorId: string): Promise<boolean>;
  /** Opens connectors that have been `settling` for so long. @returns them */
  reopen(settlingMs: number): Promise<string[]>;
}

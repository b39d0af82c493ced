import type { JobStatus, VerifiedStatus } from '@sluice/contracts';
import type { Fence } from './task-store';

/** The worker that runs verifications; the id of a verification is the key of its task. */
export const verificationWorkerName = 'verifications.run';

/** Which records are compared: a sample of the mapped ones, some by their ids, or those whose last write landed since. */
export type VerificationSubjects =
  | { sample: { count: number } | { percentage: number } }
  | { externalIds: readonly string[] }
  | { since: string };

export interface NewVerification {
  organizationId: string;
  connectorId: string;
  entity: string;
  subjects: VerificationSubjects;
}

export interface Verification extends NewVerification {
  id: string;
  status: JobStatus<'verification'>;
  checked: number;
  matched: number;
  mismatched: number;
  missing: number;
  notVerifiable: number;
  error: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

/** A property that differs. */
export interface DifferentProperty {
  name: string;
  expected: string | number | boolean | null;
  actual: string | null;
}

/** What a verification found of a record. */
export interface VerifiedRow {
  /** Its place among the records, from 1. */
  n: number;
  externalId: string;
  crmId: string | null;
  status: VerifiedStatus;
  /** Those that differ. */
  properties: DifferentProperty[];
}

/** The same, with the rows of the runs that wrote what differs, the oldest first: their replay repairs it. */
export interface FoundRow extends VerifiedRow {
  repairedBy: string[];
}

/** A run that wrote a record. */
export interface LandedRun {
  /** The row of its unit that has its steps. */
  rowId: string;
  /** The record was deleted by it. */
  deleted: boolean;
}

/** What is known of a record that is compared. */
export interface VerificationSubject {
  n: number;
  externalId: string;
  /** Where its mapping leads; null: it has none. */
  mapped: { crmId: string; objectType: string } | null;
  /** The runs that wrote it, the newest first, some of them. */
  landed: LandedRun[];
  /** An event of it was accepted, and did not land. */
  accepted: boolean;
}

/** Verifications of many records. Any method may throw `StoreUnavailable`. */
export interface VerificationStore {
  /** Stores the job together with its task. */
  create(asked: NewVerification): Promise<Verification>;
  /** null: the connector has no such verification. */
  get(connectorId: string, id: string): Promise<Verification | null>;
  /** Newest first. */
  list(connectorId: string, page: { limit: number; offset: number }): Promise<{ items: Verification[]; total: number }>;
  /** Rows after a place, in their order. null: the connector has no such verification. */
  rows(
    connectorId: string, id: string, query: { status?: VerifiedStatus; after: number; limit: number },
  ): Promise<VerifiedRow[] | null>;
  /** Nothing of it is read after this, but for what is under way. @returns it as it is then; null: there is none such */
  cancel(connectorId: string, id: string): Promise<Verification | null>;
  /** Rows whose replay repairs what differs, those of the oldest events first, each once. */
  repairedBy(id: string): Promise<string[]>;

  /** Begins or continues a verification, and chooses its records when it begins. null: it has ended, or it is gone. */
  open(id: string, fence: Fence): Promise<Verification | null>;
  /** The next records. None: all were compared. */
  next(job: Verification, limit: number): Promise<VerificationSubject[]>;
  /** Stores what was found of the records that `next` gave. false: it was cancelled */
  found(id: string, fence: Fence, rows: readonly FoundRow[]): Promise<boolean>;
  /** Ends a verification that was not cancelled. */
  finish(id: string, fence: Fence, error: string | null): Promise<void>;
  /** Deletes verifications that ended so long ago, with their rows. @returns whether there may be more */
  deleteOld(olderThanMs: number): Promise<boolean>;
}

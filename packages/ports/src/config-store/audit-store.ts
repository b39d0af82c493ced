export type AuditActorType = 'user' | 'org_key' | 'operator' | 'system';

export interface AuditActor {
  type: AuditActorType;
  id: string | null;
  /** The actor's readable name: an email address, the label of a key. */
  label: string | null;
}

/** One change of the config plane, or an attempt at one. */
export interface AuditEntry {
  organizationId: string;
  actor: AuditActor;
  /** A word like `connector.publish`. */
  action: string;
  target: { type: string; id: string | null };
  /** Address of the caller; null where nobody called. */
  ip: string | null;
  requestId: string | null;
  outcome: 'done' | 'refused';
  /** Error code of a refusal. */
  reason: string | null;
}

export interface AuditRow extends AuditEntry {
  id: string;
  at: Date;
}

export interface AuditQuery {
  since?: Date;
  until?: Date;
  action?: string;
  /** `nextCursor` of the page before; any other text is refused: InvalidCursor. */
  cursor?: string;
  limit: number;
}

/**
 * The audit log. Changes are written by the stores themselves, in their own transactions: see `inAuditScope`. This store writes
 * entries of refusals, which changed nothing, and reads the log.
 */
export interface AuditStore {
  add(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  list(organizationId: string, query: AuditQuery): Promise<{ items: AuditRow[]; nextCursor: string | null }>;
  /** Deletes entries older than `before`, at most `limit`; returns how many. */
  sweep(before: Date, most: number): Promise<number>;
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditEntry } from './audit-store';

/** The facts of a change before it is made. */
export type AuditFacts = Omit<AuditEntry, 'organizationId' | 'outcome' | 'reason'> & { organizationId: string | null };

/** The work that one audit entry is about. */
export interface AuditScope {
  /** Called when the entry is written, because the caller may become known later. */
  facts(): AuditFacts;
  /** Set by the store whose transaction wrote the entry. */
  written: boolean;
  /** See `noteAudit`. */
  noted: {
    /** The organizations whose log gets the entry, in place of the caller's. */
    organizationIds?: readonly string[];
    targetId?: string;
    userId?: string;
    label?: string;
  };
}

const storage = new AsyncLocalStorage<AuditScope>();

/**
 * Runs work whose first change of a config store is written to the audit log, in the transaction of that change: both are stored
 * or neither. Further changes of the same work belong to the same entry.
 */
export function inAuditScope<T>(facts: () => AuditFacts, work: (scope: AuditScope) => T): T {
  const scope: AuditScope = { facts, written: false, noted: {} };
  return storage.run(scope, () => work(scope));
}

/** Facts that become known during the work: ids created with the change, the user who signs in. */
export function noteAudit(noted: AuditScope['noted']): void {
  Object.assign(storage.getStore()?.noted ?? {}, noted);
}

/**
 * For stores, at the end of a transaction: the entries that belong into it, one for each organization that it concerns; null when
 * there is none to write. Who writes them sets `written` once the transaction is committed.
 * @param result what the method will answer: null, false and `{ok: false}` say that nothing was changed
 */
export function auditEntriesOf(result: unknown): { entries: AuditEntry[]; scope: AuditScope } | null {
  const scope = storage.getStore();
  if (!scope || scope.written || changedNothing(result)) return null;
  const entries = completed(scope, 'done', null);
  return entries.length === 0 ? null : { entries, scope };
}

/** The entries of a scope; none while its organization is unknown. */
export function completed(
  { facts, noted }: AuditScope,
  outcome: AuditEntry['outcome'],
  reason: string | null,
): AuditEntry[] {
  const known = facts();
  const organizationIds = noted.organizationIds ?? (known.organizationId === null ? [] : [known.organizationId]);
  return organizationIds.map((organizationId) => ({
    ...known,
    organizationId,
    outcome,
    reason,
    // The user of a sign-in or sign-up is known only afterwards. Whoever was refused has shown nobody's password: the entry says
    // which account was named, and no actor's id.
    actor:
      known.actor.type === 'user' && known.actor.id === null
        ? { type: 'user', id: outcome === 'done' ? (noted.userId ?? null) : null, label: noted.label ?? known.actor.label }
        : known.actor,
    target: { ...known.target, id: noted.targetId ?? known.target.id },
  }));
}

function changedNothing(result: unknown): boolean {
  if (result === null || result === false) return true;
  return typeof result === 'object' && (result as { ok?: unknown }).ok === false;
}

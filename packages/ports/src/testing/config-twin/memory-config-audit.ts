import { auditEntriesOf } from '../../config-store/audit-scope';
import type { AuditEntry, AuditStore } from '../../config-store';
import { listCursor } from '../../shared/list-cursor';
import type { MemoryConfigState } from './memory-config-state';
import { copy } from '../shared/memory-copy';

/** Methods of the stores that change something on somebody's behalf. */
const changes = new Set([
  'create',
  'update',
  'delete',
  'rotate',
  'createKey',
  'revokeKey',
  'openSession',
  'endSession',
  'endSessionById',
  'save',
  'publish',
  'setEnabled',
  'rename',
  'activate',
  'add',
  'close',
  'reopen',
  'setRole',
  'remove',
  'revoke',
  'accept',
  'verify',
  'changePassword',
  'setDeactivated',
  'endSessionOf',
  'reset',
  'requestEmailChange',
  'confirmEmailChange',
  'attach',
  'resolve',
  'addOrder',
  'completeOrder',
  'saveDetails',
  'acceptAgreement',
  'enroll',
  'confirm',
  'disable',
  'replaceRecoveryCodes',
  'signIn',
  'push',
  'promote',
  'requestHook',
]);

/** Writes what a method has changed to the audit log, and hands its result on. */
export function recorded<T>(state: MemoryConfigState, method: string, result: T): T {
  const found = changes.has(method) ? auditEntriesOf(result) : null;
  if (!found) return result;
  for (const entry of found.entries) add(state, entry);
  found.scope.written = true;
  return result;
}

function add(state: MemoryConfigState, entry: AuditEntry): void {
  state.audit.unshift({ ...copy(entry), id: String(state.audit.length + 1), at: new Date() });
}

const cursors = listCursor('audit', 'bigint');

/** The audit log of the twin. */
export function createMemoryAudit(state: MemoryConfigState): AuditStore {
  return {
    add: async (entry) => add(state, entry),
    async list(organizationId, { since, until, action, cursor, limit }) {
      const [from] = cursors.read(cursor) ?? [Infinity];
      const found = state.audit.filter(
        (row) =>
          row.organizationId === organizationId &&
          Number(row.id) < Number(from) &&
          (action === undefined || row.action === action) &&
          (since === undefined || row.at >= since) &&
          (until === undefined || row.at < until),
      );
      const items = copy(found.slice(0, limit));
      return { items, nextCursor: found.length > limit ? cursors.of([items.at(-1)!.id]) : null };
    },
    async sweep(before, most) {
      const old = new Set(state.audit.filter(({ at }) => at < before).slice(-most).map(({ id }) => id));
      state.audit = state.audit.filter(({ id }) => !old.has(id));
      return old.size;
    },
  };
}

import { auditEntriesOf } from '@sluice/ports';
import { addAuditEntry } from '../../config-client/add-audit-entry';
import type { Transaction } from '../../config-client/config-client';
import { endSessionsOf } from './sessions';

/** Takes an address from an unverified account: it is signed out everywhere and can no longer sign in. */
export async function releaseAddress(tx: Transaction, email: string): Promise<void> {
  const [holder] = await tx.$queryRaw<{ id: string }[]>`
    UPDATE users SET email = 'released:' || id, password_hash = '', updated_at = now()
    WHERE email = ${email} AND verified_at IS NULL RETURNING id`;
  if (!holder) return;
  await endSessionsOf(tx, holder.id, 'released');
  const [entry] = auditEntriesOf(true)?.entries ?? [];
  const owned = await tx.membership.findFirst({ where: { user_id: holder.id, role: 'owner' }, orderBy: { created_at: 'asc' } });
  if (!entry || !owned) return;
  const target = { type: 'user', id: holder.id };
  await addAuditEntry(tx, { ...entry, organizationId: owned.organization_id, action: 'account.release', target });
}

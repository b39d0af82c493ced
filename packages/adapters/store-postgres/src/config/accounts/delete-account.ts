import { type AccountStore, noteAudit } from '@sluice/ports';
import { asId, type Transaction } from '../../config-client/config-client';
import { lockOrganization } from '../../config-client/connector-changes';

type Answer = Awaited<ReturnType<AccountStore['delete']>>;

/**
 * Deletes an account, unless an organization would be left without an owner. Its organizations are locked in the order of their
 * ids, so that two owners who delete themselves at the same moment wait for each other.
 */
export async function deleteAccount(tx: Transaction, userId: string): Promise<Answer> {
  const mine = await tx.membership.findMany({ where: { user_id: asId(userId) }, orderBy: { organization_id: 'asc' } });
  for (const { organization_id } of mine) await lockOrganization(tx, organization_id);
  const organizations = await tx.$queryRaw<{ id: string; name: string }[]>`
    SELECT o.id, o.name FROM memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = ${asId(userId)}::uuid AND m.role = 'owner' AND o.state NOT IN ('closing', 'closed')
      AND NOT EXISTS (
        SELECT 1 FROM memberships other WHERE other.organization_id = o.id AND other.role = 'owner' AND other.user_id <> m.user_id
      )
    ORDER BY m.created_at, o.id`;
  if (organizations.length > 0) return { ok: false, reason: 'last_owner', organizations };
  await tx.user.deleteMany({ where: { id: asId(userId) } });
  noteAudit({ organizationIds: mine.map(({ organization_id }) => organization_id), targetId: userId });
  return { ok: true };
}

import type { Transaction } from '../../config-client/config-client';

/** The organizations of an account, oldest membership first, closed ones last. */
export async function organizationIdsOf(reader: Pick<Transaction, '$queryRaw'>, userId: string): Promise<string[]> {
  const rows = await reader.$queryRaw<{ id: string }[]>`
    SELECT o.id FROM memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = ${userId}::uuid ORDER BY o.state = 'closed', m.created_at, o.id`;
  return rows.map(({ id }) => id);
}

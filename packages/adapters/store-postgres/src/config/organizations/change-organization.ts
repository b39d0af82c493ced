import { orderingOf } from '@sluice/contracts';
import type { Organization, Prisma } from '../../generated/client';
import type { Transaction } from '../../config-client/config-client';
import { announce, lockOrganization, reorder } from '../../config-client/connector-changes';

/** Milliseconds of a transaction that changes an organization: it may have thousands of connectors to tell of. */
export const wideTimeoutMs = 60_000;

/**
 * Changes an organization under its row lock and tells every connector of it. Answers null for an unknown one.
 * @param wanted asked once the row is locked: what was read before may have changed
 */
export async function changeOrganization(
  tx: Transaction,
  id: string,
  data: Prisma.OrganizationUpdateInput,
  wanted?: (row: Organization) => boolean,
): Promise<Organization | null> {
  if (!(await lockOrganization(tx, id))) return null;
  const before = await tx.organization.findUniqueOrThrow({ where: { id } });
  if (wanted && !wanted(before)) return null;
  const row = await tx.organization.update({ where: { id }, data });
  const where = { organization_id: id, deleted_at: null };
  const connectors = await tx.connector.findMany({ where, select: { id: true, settings: true } });
  if (row.per_record_ordering !== before.per_record_ordering) {
    const perRecord = connectors.filter(({ settings }) => orderingOf(settings as Record<string, unknown>) === 'record');
    await reorder(tx, perRecord.map((connector) => connector.id));
  }
  const ids = connectors.map((connector) => connector.id);
  if (row.tier === 'enterprise') await tx.writeCap.deleteMany({ where: { state: 'armed', connector_id: { in: ids } } });
  await announce(tx, ids);
  return row;
}

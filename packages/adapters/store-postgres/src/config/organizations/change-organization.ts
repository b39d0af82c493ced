import { orderingOf } from '@sluice/contracts';
import type { Organization, Prisma } from '../../generated/client';
import type { Transaction } from '../../config-client/config-client';
import { announce, lockOrganization, reorder } from '../../config-client/connector-changes';

/** Milliseconds of a transaction that changes an organization: it may have thousands of connectors to tell of. */
export const wideTimeoutMs = 60_000;

/** What is changed, or what follows from the row before. */
export type OrganizationChange =
  | Prisma.OrganizationUpdateInput
  | ((before: Organization) => Prisma.OrganizationUpdateInput);

/**
 * Changes an organization under its row lock and tells every connector of it. Answers null for an unknown one.
 * @param wanted asked once the row is locked: what was read before may have changed
 */
export async function changeOrganization(
  tx: Transaction,
  id: string,
  change: OrganizationChange,
  wanted?: (row: Organization) => boolean,
): Promise<Organization | null> {
  if (!(await lockOrganization(tx, id))) return null;
  const before = await tx.organization.findUniqueOrThrow({ where: { id } });
  if (wanted && !wanted(before)) return null;
  const data = typeof change === 'function' ? change(before) : change;
  const row = await tx.organization.update({
    where: { id }, data: { ...data, ...trialFacts(before, data), ...suspensionFacts(before, data) },
  });
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

/** The trial of an organization that leaves it is used up, whatever it moves to. */
function trialFacts({ tier: before }: Organization, { tier }: Prisma.OrganizationUpdateInput): Prisma.OrganizationUpdateInput {
  if (tier === undefined || tier === before) return {};
  if (tier === 'trial') return { trial_blocked: null };
  return before === 'trial' ? { trial_blocked: 'trial_already_used' } : {};
}

/** Closing and reopening ends no suspension: an operator made it. */
function suspensionFacts(
  { state: before, reopens_suspended: kept }: Organization, { state }: Prisma.OrganizationUpdateInput,
): Prisma.OrganizationUpdateInput {
  if (state === undefined) return {};
  return { reopens_suspended: state === 'closing' && (before === 'suspended' || (before === 'closing' && kept)) };
}

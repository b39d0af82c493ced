import { inAuditScope, type OrganizationStore } from '@sluice/ports';
import type { Organization, Prisma, PrismaClient } from '../../generated/client';
import { bySystem } from './by-system';
import { changeOrganization, type OrganizationChange, wideTimeoutMs } from './change-organization';
import { inTransaction, isUuid, type Transaction } from '../../config-client/config-client';
import { organizationRow } from '../config-rows';
import { timeIn } from '../../config-client/database-time';

/** Organizations that one round ends the trial or the recovery period of. */
const mostPerRound = 100;

type Lifecycle = Pick<OrganizationStore, 'close' | 'reopen' | 'endRecoveries' | 'endTrials'>;

/** What becomes of an organization: trial, closing, reopening, closed. */
export function organizationLifecycle(prisma: PrismaClient): Lifecycle {
  const changed = (
    id: string,
    dataOf: (tx: Transaction) => Promise<OrganizationChange>,
    wanted: (row: Organization) => boolean,
    then?: (tx: Transaction) => Promise<unknown>,
  ): Promise<Organization | null> => inTransaction(prisma, async (tx) => {
    const row = isUuid(id) ? await changeOrganization(tx, id, await dataOf(tx), wanted) : null;
    if (row) await then?.(tx);
    return row;
  }, wideTimeoutMs);

  return {
    async close(id, recoveryMs) {
      const data = async (tx: Transaction) => ({ state: 'closing', closes_at: await timeIn(tx, recoveryMs) });
      const row = await changed(id, data, ({ state }) => state !== 'closing');
      return row ? { ok: true, organization: organizationRow(row) } : { ok: false, reason: 'closing' };
    },

    async reopen(id) {
      let now = new Date();
      let isOver = false;
      const data = async (tx: Transaction): Promise<OrganizationChange> => {
        now = await timeIn(tx, 0);
        return ({ reopens_suspended: suspended }) => ({ state: suspended ? 'suspended' : 'active', closes_at: null });
      };
      const row = await changed(id, data, ({ state, closes_at: at }) => {
        isOver = state === 'closing' && at !== null && at <= now;
        return state === 'closing' && !isOver;
      });
      return row ? { ok: true, organization: organizationRow(row) } : { ok: false, reason: isOver ? 'over' : 'not_closing' };
    },

    endRecoveries: (now) => ended(prisma, 'organization.closed', { state: 'closing', closes_at: { lte: now } }, (id) => changed(
      id,
      async () => ({ state: 'closed', closes_at: null }),
      ({ state, closes_at: at }) => state === 'closing' && at !== null && at <= now,
      (tx) => tx.$executeRaw`
        UPDATE invitations SET revoked_at = now() WHERE organization_id = ${id}::uuid AND accepted_at IS NULL AND revoked_at IS NULL`,
    )),

    endTrials: (now) => ended(prisma, 'organization.trial_end', { tier: 'trial', trial_ends_at: { lte: now } }, (id) => changed(
      id,
      async () => ({ tier: 'free', trial_ends_at: null }),
      ({ tier }) => tier === 'trial',
    )),
  };
}

/** Ends something of the organizations whose time it is; answers how many. Each one stands in its audit log. */
async function ended(
  prisma: PrismaClient,
  action: string,
  where: Prisma.OrganizationWhereInput,
  end: (id: string) => Promise<Organization | null>,
): Promise<number> {
  const due = await prisma.organization.findMany({ where, select: { id: true }, take: mostPerRound });
  let count = 0;
  for (const { id } of due) if (await inAuditScope(() => bySystem(id, action), () => end(id))) count += 1;
  return count;
}

import { randomUUID } from 'node:crypto';
import type { Tier } from '@sluice/contracts';
import { noteAudit, type OrganizationRow, type TrialKeys } from '@sluice/ports';
import type { Transaction } from '../../config-client/config-client';
import { organizationRow } from '../config-rows';
import { inMs } from '../../config-client/database-time';
import { isTrialUsed, takeTrial } from './trials';

interface PlainOrganization {
  id: string;
  name: string;
  tier: Tier;
  /** Milliseconds; with the tier `trial`. */
  trialMs?: number;
  trialRefused?: boolean;
}

/** The row of a new organization. */
export async function insertOrganization(
  tx: Transaction,
  { id, name, tier, trialMs, trialRefused = false }: PlainOrganization,
): Promise<void> {
  await tx.organization.create({ data: { id, name, tier, trial_blocked: trialRefused ? 'trial_already_used' : null } });
  if (trialMs !== undefined) await tx.$executeRaw`UPDATE organizations SET trial_ends_at = ${inMs(trialMs)} WHERE id = ${id}::uuid`;
}

/** An organization of an account: its first one on the trial where one is left, a further one on `free`. */
export async function addOrganization(
  tx: Transaction,
  { name, ownerId, trialKeys, trialMs }: { name: string; ownerId: string; trialKeys: TrialKeys; trialMs: number },
): Promise<OrganizationRow> {
  const id = randomUUID();
  const { verified_at: verifiedAt } = await tx.user.findUniqueOrThrow({ where: { id: ownerId } });
  const isFirst = (await tx.membership.count({ where: { user_id: ownerId, role: 'owner' } })) === 0;
  const onTrial = isFirst && (await takeTrial(tx, trialKeys, { organizationId: id, verified: verifiedAt !== null }));
  const onFree = async () => ({ id, name, tier: 'free', trialRefused: isFirst || (await isTrialUsed(tx, trialKeys)) }) as const;
  await insertOrganization(tx, onTrial ? { id, name, tier: 'trial', trialMs } : await onFree());
  await tx.membership.create({ data: { organization_id: id, user_id: ownerId, role: 'owner' } });
  noteAudit({ organizationIds: [id], targetId: id });
  return organizationRow(await tx.organization.findUniqueOrThrow({ where: { id } }));
}

import type { TrialKeys } from '@sluice/ports';
import { changeOrganization } from './change-organization';
import type { Transaction } from '../../config-client/config-client';

const use = async (tx: Transaction, key: string, organizationId: string): Promise<boolean> =>
  (await tx.trialUse.createMany({ data: { key, organization_id: organizationId }, skipDuplicates: true })).count === 1;

const isUsed = async (tx: Transaction, key: string | null): Promise<boolean> =>
  key !== null && (await tx.trialUse.count({ where: { key } })) > 0;

/** Whether the address or its mail domain has had its trial. */
export const isTrialUsed = async (tx: Transaction, { company, address }: TrialKeys): Promise<boolean> =>
  (await isUsed(tx, company)) || isUsed(tx, address);

/** Uses the trial up, whoever had it before: an operator gives it. */
export async function grantTrial(tx: Transaction, { company, address }: TrialKeys, organizationId: string): Promise<void> {
  if (company !== null) await use(tx, company, organizationId);
  await use(tx, address, organizationId);
}

/**
 * Whether a new organization may have the trial. Then its address has used it up, and, once somebody made sure whose the address
 * is, its mail domain too.
 */
export async function takeTrial(
  tx: Transaction,
  { company, address }: TrialKeys,
  { organizationId, verified }: { organizationId: string; verified: boolean },
): Promise<boolean> {
  if ((await isUsed(tx, company)) || !(await use(tx, address, organizationId))) return false;
  return company === null || !verified || use(tx, company, organizationId);
}

/**
 * Decides about the trial that an address took when it signed up, now that it is verified: the mail domain has one. Where another
 * organization has used it, this one moves to `free`.
 */
export async function settleTrial(tx: Transaction, { company, address }: TrialKeys): Promise<void> {
  const taken = company === null ? null : await tx.trialUse.findUnique({ where: { key: address } });
  if (company === null || !taken || (await use(tx, company, taken.organization_id))) return;
  const holder = await tx.trialUse.findUniqueOrThrow({ where: { key: company } });
  if (holder.organization_id === taken.organization_id) return;
  const ended = { tier: 'free', trial_ends_at: null, trial_blocked: 'trial_already_used' };
  await changeOrganization(tx, taken.organization_id, ended, (row) => row.tier === 'trial');
}

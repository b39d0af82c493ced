import type { Tier } from '@sluice/contracts';
import type { OrganizationRow, TrialKeys } from '../../config-store';
import { announce, connectorsOf, type MemoryConfigState } from './memory-config-state';

/** Trials of the twin, and the organizations that begin with one. */
const use = ({ trialKeys }: MemoryConfigState, key: string, organizationId: string): boolean => {
  if (trialKeys.has(key)) return false;
  trialKeys.set(key, organizationId);
  return true;
};

/** Whether the address or its mail domain has had its trial. */
export const isMemoryTrialUsed = ({ trialKeys }: MemoryConfigState, { company, address }: TrialKeys): boolean =>
  [company, address].some((key) => key !== null && trialKeys.has(key));

export function grantMemoryTrial(state: MemoryConfigState, { company, address }: TrialKeys, organizationId: string): void {
  for (const key of [company, address]) if (key !== null) use(state, key, organizationId);
}

/** Whether a new organization may have the trial. */
export function takeMemoryTrial(
  state: MemoryConfigState,
  { company, address }: TrialKeys,
  { organizationId, verified }: { organizationId: string; verified: boolean },
): boolean {
  if ((company !== null && state.trialKeys.has(company)) || !use(state, address, organizationId)) return false;
  if (company !== null && verified) use(state, company, organizationId);
  return true;
}

/** Decides about the trial of an address that is verified now. */
export function settleMemoryTrial(state: MemoryConfigState, { company, address }: TrialKeys): void {
  const organizationId = state.trialKeys.get(address);
  if (company === null || organizationId === undefined || use(state, company, organizationId)) return;
  const organization = state.organizations.get(organizationId)!;
  if (state.trialKeys.get(company) === organizationId || organization.tier !== 'trial') return;
  Object.assign(organization, { tier: 'free', trialEndsAt: null, trialBlocked: 'trial_already_used' });
  announce(state, connectorsOf(state, organizationId));
}

export const newMemoryOrganization = (
  { id, name, tier, trialMs, trialRefused }: { id: string; name: string; tier: Tier; trialMs?: number; trialRefused: boolean },
): OrganizationRow => ({
  id, name, tier, state: 'active', limits: {}, perRecordOrdering: false, writeCapReview: false, publishReview: false,
  assistantOff: false,
  trialEndsAt: trialMs === undefined ? null : new Date(Date.now() + trialMs),
  trialBlocked: trialRefused ? 'trial_already_used' : null, createdAt: new Date(), closesAt: null,
});

/** What becomes of the trial when an organization gets a tier: that of one that leaves it is used up. */
export function memoryTrialFacts({ tier: before }: OrganizationRow, tier: Tier | undefined): Partial<OrganizationRow> {
  if (tier === undefined || tier === before) return {};
  if (tier === 'trial') return { trialBlocked: null };
  return before === 'trial' ? { trialBlocked: 'trial_already_used' } : {};
}

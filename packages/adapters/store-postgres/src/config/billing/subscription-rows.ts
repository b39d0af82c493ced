import type { BillingInterval, OrderedTier, Plan, ProviderIds, SubscriptionRow } from '@sluice/ports';
import type { Prisma, Subscription } from '../../generated/client';
import { changeOrganization } from '../organizations/change-organization';
import type { Transaction } from '../../config-client/config-client';

/**
 * A plan counts from now on, for the organization whose row is locked. What is left of a trial is over; limits that were agreed
 * stay.
 */
export async function setPlan(
  tx: Transaction,
  organizationId: string,
  plan: Plan,
  facts: Prisma.SubscriptionUncheckedUpdateInput = {},
): Promise<void> {
  const { tier, interval: billing_interval } = plan;
  await writeSubscription(tx, organizationId, plan, { ends_at: null, ...facts, tier, billing_interval });
  await changeOrganization(tx, organizationId, { tier, trial_ends_at: null }, (row) => row.tier !== tier);
}

/** @param plan of a subscription that did not exist */
export async function writeSubscription(
  tx: Transaction,
  organizationId: string,
  { tier, interval }: Plan,
  facts: Prisma.SubscriptionUncheckedUpdateInput,
): Promise<void> {
  const fresh = { tier, billing_interval: interval, ...facts, organization_id: organizationId };
  await tx.subscription.upsert({
    where: { organization_id: organizationId }, update: facts, create: fresh as Prisma.SubscriptionUncheckedCreateInput,
  });
}

/** What is undefined stays as it is known. */
export const idColumns = ({ customerId, subscriptionId }: ProviderIds) =>
  ({ customer_id: customerId, subscription_id: subscriptionId });

export const planIn = (row: { tier: string; billing_interval: string | null }): Plan =>
  ({ tier: row.tier as OrderedTier, interval: row.billing_interval as BillingInterval | null });

export const subscriptionRow = (row: Subscription | null): SubscriptionRow | null => row && {
  organizationId: row.organization_id, customerId: row.customer_id, subscriptionId: row.subscription_id, plan: planIn(row),
  endsAt: row.ends_at,
};

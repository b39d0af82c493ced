import type { BillingAccount, SubscriptionRow } from '@sluice/ports';

/** What the provider knows an organization by. */
export const billingAccount = (organizationId: string, subscription: SubscriptionRow | null): BillingAccount => ({
  organizationId, customerId: subscription?.customerId ?? null, subscriptionId: subscription?.subscriptionId ?? null,
});

import type { BillingProvider } from '@sluice/ports';

/** BillingProvider without payments. @param publicUrl base of the product's links */
export function createLocalBilling({ publicUrl, now = () => new Date() }: { publicUrl: string; now?(): Date }): BillingProvider {
  const nobody = { customerId: null, subscriptionId: null };
  return {
    order: async () => ({ status: 'completed', ...nobody, effectiveAt: null }),
    quote: async () => ({ amountDue: 0, currency: 'usd', effectiveAt: now() }),
    paid: async () => nobody,
    portalUrl: async () => `${publicUrl}/billing`,
    updateCustomer: async () => undefined,
    messages: null,
  };
}

import { billingConformance } from '@sluice/ports/testing';
import { createLocalBilling } from './create-local-billing';

const account = { organizationId: 'one', customerId: null, subscriptionId: null };
const plan = { tier: 'pro', interval: 'month' } as const;

billingConformance('local billing', async () => ({
  provider: createLocalBilling({ publicUrl: 'https://sluice.example' }), pay: async () => undefined, setAway: null,
  close: async () => undefined,
}));

test('every order counts at once and costs nothing', async () => {
  const at = new Date('2026-03-04T05:06:07Z');
  const billing = createLocalBilling({ publicUrl: 'https://sluice.example', now: () => at });
  expect(await billing.order({ orderId: 'o', account, plan, email: null })).toEqual(
    { status: 'completed', customerId: null, subscriptionId: null, effectiveAt: null },
  );
  expect(await billing.quote({ account, plan, email: null })).toEqual({ amountDue: 0, currency: 'usd', effectiveAt: at });
  expect(await billing.paid('any')).not.toBeNull();
  expect(await billing.portalUrl(account)).toBe('https://sluice.example/billing');
});

import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { billingAccount } from './billing-account';
import type { BillingDeps } from './deps';
import { withProvider } from './with-provider';

export function postBillingPortal({ authenticate, billing, store }: BillingDeps): HttpRoute {
  return implementRoute(configRoutes.billingPortal, {
    authenticate,
    handler: async ({ principal: { organization } }) => {
      const account = billingAccount(organization.id, await store.billing.subscription(organization.id));
      return { status: 200, body: { url: await withProvider(billing.portalUrl(account)) } };
    },
  });
}

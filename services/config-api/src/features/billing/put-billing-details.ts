import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { billingAccount } from './billing-account';
import type { BillingDeps } from './deps';
import { detailsOf, detailsView } from './details-view';
import { withProvider } from './with-provider';

/** The provider's customer first: when it cannot follow, nothing is saved, and the same request may be sent again. */
export function putBillingDetails({ authenticate, billing, store }: BillingDeps): HttpRoute {
  return implementRoute(configRoutes.replaceBillingDetails, {
    authenticate,
    handler: async ({ body, principal: { organization } }) => {
      const details = detailsOf(body);
      const account = billingAccount(organization.id, await store.billing.subscription(organization.id));
      await withProvider(billing.updateCustomer(account, details));
      await store.billing.saveDetails(organization.id, details);
      return { status: 200, body: detailsView(details) };
    },
  });
}

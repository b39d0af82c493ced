import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { BillingDeps } from './deps';
import { detailsView } from './details-view';

export function getBillingDetails({ authenticate, store }: BillingDeps): HttpRoute {
  return implementRoute(configRoutes.readBillingDetails, {
    authenticate,
    handler: async ({ principal }) =>
      ({ status: 200, body: detailsView(await store.billing.details(principal.organization.id)) }),
  });
}

import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { agreements, agreementView } from './agreements';
import type { BillingDeps } from './deps';

export function getBillingAgreements(deps: BillingDeps): HttpRoute {
  return implementRoute(configRoutes.listAgreements, {
    authenticate: deps.authenticate,
    handler: async ({ principal }) => {
      const accepted = await deps.store.billing.acceptances(principal.organization.id);
      return { status: 200, body: { items: agreements.map((agreement) => agreementView(deps, agreement, accepted)) } };
    },
  });
}

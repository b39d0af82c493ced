import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { agreements, agreementView } from './agreements';
import type { BillingDeps } from './deps';

export function postBillingAgreementAccept(deps: BillingDeps): HttpRoute {
  return implementRoute(configRoutes.acceptAgreement, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const agreement = agreements.find(({ id }) => id === params.agreement_id);
      if (!agreement) throw apiError('Not Found');
      // A key does not come here: the route asks for a session.
      if (principal.kind === 'key') throw apiError('user_session_required');
      const { id, version } = agreement;
      const accepted = await deps.store.billing.acceptAgreement({
        organizationId: principal.organization.id, agreement: id, version, acceptedBy: principal.email,
      });
      return { status: 200, body: agreementView(deps, agreement, [accepted]) };
    },
  });
}

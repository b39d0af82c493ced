import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OperatorDeps } from './deps';
import { organizationView } from './organization-view';

export function patchOperatorOrganization({ authenticateOperator, store, times }: OperatorDeps): HttpRoute {
  return implementRoute(configRoutes.updateOrganization, {
    authenticate: authenticateOperator,
    handler: async ({ body, params }) => {
      const organization = await store.organizations.update(params.organization_id, {
        tier: body.tier, state: body.state, recoveryMs: times.closeRecoveryMs, limits: body.limits,
        perRecordOrdering: body.per_record_ordering, writeCapReview: body.write_cap_review, publishReview: body.publish_review,
      });
      if (!organization) throw apiError('Not Found');
      return { status: 200, body: organizationView(organization) };
    },
  });
}

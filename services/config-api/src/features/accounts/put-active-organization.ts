import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { tokenAnswer } from './open-session';
import type { AccountDeps } from './deps';

export function putActiveOrganization(deps: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.setActiveOrganization, {
    authenticate: deps.authenticateAccount,
    handler: async ({ body: { organization_id: organizationId }, principal: { sessionId, userId } }) => {
      if (!(await deps.store.accounts.activate(sessionId, organizationId))) throw apiError('not_a_member');
      return { status: 200, body: tokenAnswer(deps, { sessionId, userId, organizationId }) };
    },
  });
}

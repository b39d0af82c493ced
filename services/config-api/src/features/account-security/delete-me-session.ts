import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { AccountSecurityDeps } from './deps';

export function deleteMeSession({ authenticateAccount, store }: AccountSecurityDeps): HttpRoute {
  return implementRoute(configRoutes.revokeSession, {
    authenticate: authenticateAccount,
    handler: async ({ params, principal }) => {
      if (!(await store.accounts.endSessionOf(principal.userId, params.session_id))) throw apiError('Not Found');
      return { status: 204 };
    },
  });
}

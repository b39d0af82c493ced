import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OperatorDeps } from './deps';
import { userView } from './user-view';

export function patchOperatorUser({ authenticateOperator, store }: OperatorDeps): HttpRoute {
  return implementRoute(configRoutes.updateUser, {
    authenticate: authenticateOperator,
    handler: async ({ body, params }) => {
      const user = await store.accounts.setDeactivated(params.user_id, body.deactivated);
      if (!user) throw apiError('Not Found');
      return { status: 200, body: userView(user) };
    },
  });
}

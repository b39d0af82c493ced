import { configRoutes } from '@sluice/contracts';
import { noteAudit } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { normalizedEmail } from '../accounts/trial-keys';
import type { OperatorDeps } from './deps';
import { userView } from './user-view';

export function getOperatorUsers({ authenticateOperator, store }: OperatorDeps): HttpRoute {
  return implementRoute(configRoutes.findUsers, {
    authenticate: authenticateOperator,
    handler: async ({ query }) => {
      const user = await store.accounts.userByEmail(normalizedEmail(query.email));
      if (user) noteAudit({ organizationIds: user.organizationIds, targetId: user.id });
      return { status: 200, body: { items: user ? [userView(user)] : [], total: user ? 1 : 0 } };
    },
  });
}

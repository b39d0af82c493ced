import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { accountView } from './account-view';
import type { AccountDeps } from './deps';

export function patchMe({ authenticateAccount, store }: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.changeMe, {
    authenticate: authenticateAccount,
    handler: async ({ body, principal: { account, userId } }) => {
      const changed = body.name === undefined ? account : await store.accounts.rename(userId, body.name.trim());
      if (!changed) throw apiError('User not found');
      return { status: 200, body: accountView(changed) };
    },
  });
}

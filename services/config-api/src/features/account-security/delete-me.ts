import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { assertOwnPassword } from '../accounts/assert-own-password';
import type { AccountSecurityDeps } from './deps';

export function deleteMe(deps: AccountSecurityDeps): HttpRoute {
  return implementRoute(configRoutes.deleteMe, {
    authenticate: deps.authenticateAccount,
    handler: async ({ address, body, principal }) => {
      await assertOwnPassword(deps, principal, { address, password: body.password });
      const deleted = await deps.store.accounts.delete(principal.userId);
      if (!deleted.ok) throw apiError('last_owner', { organizations: deleted.organizations });
      return { status: 204 };
    },
  });
}

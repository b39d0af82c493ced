import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { openSession } from '../auth/open-session';
import { passwordMatches } from '../auth/password';
import { normalizedEmail } from '../auth/trial-key';
import type { Deps } from '../deps';

export function postAuthLogin(deps: Deps): HttpRoute {
  return implementRoute(configRoutes.login, {
    handler: async ({ body, response }) => {
      const user = await deps.store.accounts.userByEmail(normalizedEmail(body.email));
      if (!(await passwordMatches(body.password, user?.passwordHash ?? null)) || !user) throw apiError('Invalid credentials');
      if (user.organizationId === null) throw apiError('no_active_organization');
      return { status: 200, body: await openSession(deps, response, { userId: user.id, organizationId: user.organizationId }) };
    },
  });
}

import { configRoutes } from '@sluice/contracts';
import { noteAudit } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { openSession } from './open-session';
import { normalizedEmail } from './trial-keys';
import type { AccountDeps } from './deps';

export function postAuthLogin(deps: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.login, {
    handler: async ({ address, body, response }) => {
      const account = normalizedEmail(body.email);
      const user = await deps.passwords.check({ account, address, password: body.password }, () => findUser(deps, account));
      if (!user) throw apiError('Invalid credentials');
      if (user.organizationId === null) throw apiError('no_active_organization');
      return { status: 200, body: await openSession(deps, response, { userId: user.id, organizationId: user.organizationId }) };
    },
  });
}

/** From here on the organization for the audit log is known, also for a failed attempt. */
async function findUser({ store }: AccountDeps, account: string) {
  const user = await store.accounts.userByEmail(account);
  if (user) noteAudit({ organizationId: user.organizationId ?? undefined, userId: user.id, label: user.email });
  return user;
}

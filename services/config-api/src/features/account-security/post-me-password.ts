import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { assertOwnPassword } from '../accounts/assert-own-password';
import { assertNewPassword } from './assert-new-password';
import type { AccountSecurityDeps } from './deps';

export function postMePassword(deps: AccountSecurityDeps): HttpRoute {
  const { authenticateAccount, passwords, store } = deps;
  return implementRoute(configRoutes.changePassword, {
    authenticate: authenticateAccount,
    handler: async ({ address, body: { current_password: current, new_password: password }, principal }) => {
      const { email, organization, sessionId, userId } = principal;
      const { passwordHash: presentHash } = await assertOwnPassword(deps, principal, { address, password: current });
      const known = { email, organizationName: organization?.name ?? null };
      await assertNewPassword(passwords, { password, presentHash, address }, known);
      const passwordHash = await passwords.hash(password, address);
      if (!(await store.accounts.changePassword({ userId, passwordHash, sessionId }))) throw apiError('User not found');
      return { status: 204 };
    },
  });
}

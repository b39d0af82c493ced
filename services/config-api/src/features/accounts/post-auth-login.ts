import { configRoutes } from '@sluice/contracts';
import { noteAudit } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { challengeFactor } from './challenge-factor';
import { openSession } from './open-session';
import { normalizedEmail } from './trial-keys';
import type { AccountDeps } from './deps';
import type { ThrottleBegin } from './passwords/sign-in-throttle';

export function postAuthLogin(deps: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.login, {
    handler: async ({ address, body, request, requestId, response }) => {
      const account = normalizedEmail(body.email);
      const attempt = { account, address, password: body.password };
      const user = await deps.passwords.check(attempt, () => findUser(deps, account), (found, begin) =>
        addThrottleEntry(deps, found, { begin, ip: address, requestId }));
      if (!user) throw apiError('Invalid credentials');
      if (user.deactivated) throw apiError('account_deactivated');
      if (user.mfaEnabled) return { status: 200, body: await challengeFactor(deps, user.id, { elsewhere: false }) };
      const [organizationId = null] = user.organizationIds;
      return { status: 200, body: await openSession(deps, { address, request, response }, { userId: user.id, organizationId }) };
    },
  });
}

/** From here on the organizations for the audit log are known, also for a failed attempt. */
async function findUser({ store }: AccountDeps, account: string) {
  const user = await store.accounts.userByEmail(account);
  if (user) noteAudit({ organizationIds: user.organizationIds, userId: user.id, label: user.email });
  return user;
}

/** From now on sign-ins wait, and refused ones are not logged: whose account they name is not looked up. */
async function addThrottleEntry(
  { store }: AccountDeps,
  { id, email, organizationIds }: { id: string; email: string; organizationIds: readonly string[] },
  { begin, ip, requestId }: { begin: ThrottleBegin; ip: string; requestId: string },
): Promise<void> {
  for (const organizationId of organizationIds) {
    await store.audit.add({
      organizationId, action: 'session.throttle', actor: { type: 'user', id: null, label: email }, target: { type: 'user', id },
      ip, requestId, outcome: 'refused', reason: begin,
    });
  }
}

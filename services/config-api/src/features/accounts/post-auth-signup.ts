import { configRoutes } from '@sluice/contracts';
import { noteAudit } from '@sluice/ports';
import { apiError, callerNetwork, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { retryAfter } from '../../limits/retry-after';
import { newSession, signedIn } from './open-session';
import { assertGoodPassword } from './passwords/common-password';
import { normalizedEmail, trialKeys } from './trial-keys';
import { verificationFor } from './verification';
import type { AccountDeps } from './deps';

/** Sign-ups per address and hour. */
const signUps = { limit: 10, windowMs: 3_600_000 };

export function postAuthSignup(deps: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.signUp, {
    handler: async ({ address, body, request, response }) => {
      const [email, organizationName] = [normalizedEmail(body.email), body.organization_name.trim()];
      assertGoodPassword(body.password, { email, organizationName });
      await countSignUp(deps, address);
      noteAudit({ label: email });
      const { refreshToken, session } = newSession(deps, { address, request });
      const passwordHash = await deps.passwords.hash(body.password, address);
      const created = await deps.store.accounts.create({
        email, passwordHash, organizationName, tier: 'trial', trialKeys: trialKeys(email), trialMs: deps.times.trialLengthMs,
        session, verification: (await verificationFor(deps, email, address)) ?? undefined,
      });
      if (!created.ok) throw apiError(created.reason);
      const { userId, organizationId } = created;
      const login = signedIn(deps, response, refreshToken, { userId, organizationId, sessionId: created.sessionId! });
      return { status: 201, body: { ...login, organization_id: organizationId } };
    },
  });
}

async function countSignUp({ limits }: AccountDeps, address: string): Promise<void> {
  const { allowed, resetMs } = await limits.slideWindow(`signup:${callerNetwork(address)}`, signUps);
  if (!allowed) throw apiError('signup_limit_reached', {}, retryAfter(resetMs));
}

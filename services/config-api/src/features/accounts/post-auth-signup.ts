import { configRoutes } from '@sluice/contracts';
import { noteAudit } from '@sluice/ports';
import { apiError, callerNetwork, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { isSecure, loginAnswer } from './open-session';
import { assertGoodPassword } from './common-password';
import { setSessionCookies } from './session-cookies';
import { normalizedEmail, trialKeys } from './trial-keys';
import { verificationFor } from './verification';
import type { AccountDeps } from './deps';

/** Sign-ups per address and hour. */
const signUps = { limit: 10, windowMs: 3_600_000 };

export function postAuthSignup(deps: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.signUp, {
    handler: async ({ address, body, response }) => {
      const [email, organizationName] = [normalizedEmail(body.email), body.organization_name.trim()];
      assertGoodPassword(body.password, { email, organizationName });
      await countSignUp(deps, address);
      noteAudit({ label: email });
      const refresh = deps.refreshTokens.first();
      const passwordHash = await deps.passwords.hash(body.password, address);
      const created = await deps.store.accounts.create({
        email, passwordHash, organizationName, tier: 'trial', trialKeys: trialKeys(email), trialMs: deps.times.trialLengthMs,
        session: { tokenHash: refresh.hash, expiresAt: refresh.expiresAt },
        verification: (await verificationFor(deps, email, address)) ?? undefined,
      });
      if (!created.ok) throw apiError(created.reason);
      setSessionCookies(response, refresh.token, isSecure(deps));
      const { userId, organizationId } = created;
      const login = loginAnswer(deps, { userId, organizationId, sessionId: created.sessionId! });
      return { status: 201, body: { ...login, organization_id: organizationId } };
    },
  });
}

async function countSignUp({ limits }: AccountDeps, address: string): Promise<void> {
  const { allowed, resetMs } = await limits.slideWindow(`signup:${callerNetwork(address)}`, signUps);
  if (!allowed) throw apiError('signup_limit_reached', {}, { 'Retry-After': String(Math.max(1, Math.ceil(resetMs / 1000))) });
}

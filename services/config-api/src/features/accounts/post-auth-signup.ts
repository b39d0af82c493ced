import { configRoutes, trialMs } from '@sluice/contracts';
import { noteAudit } from '@sluice/ports';
import { apiError, callerNetwork, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { openSession } from './open-session';
import { assertGoodPassword } from './common-password';
import { normalizedEmail, trialKeys } from './trial-keys';
import type { AccountDeps } from './deps';

/** Sign-ups per address and hour. */
const signUps = { limit: 10, windowMs: 3_600_000 };

export function postAuthSignup(deps: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.signUp, {
    handler: async ({ address, body, response }) => {
      assertGoodPassword(body.password);
      await countSignUp(deps, address);
      const email = normalizedEmail(body.email);
      noteAudit({ label: email });
      const created = await deps.store.accounts.create({
        email, passwordHash: await deps.passwords.hash(body.password, address), organizationName: body.organization_name.trim(),
        tier: 'trial', trialKeys: trialKeys(email), trialEndsAt: new Date(Date.now() + trialMs),
      });
      if (!created.ok) throw apiError(created.reason);
      return { status: 201, body: { ...(await openSession(deps, response, created)), organization_id: created.organizationId } };
    },
  });
}

async function countSignUp({ limits }: AccountDeps, address: string): Promise<void> {
  const { allowed, resetMs } = await limits.slideWindow(`signup:${callerNetwork(address)}`, signUps);
  if (!allowed) throw apiError('signup_limit_reached', {}, { 'Retry-After': String(Math.max(1, Math.ceil(resetMs / 1000))) });
}

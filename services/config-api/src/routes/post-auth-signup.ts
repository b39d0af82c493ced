import { configRoutes } from '@sluice/contracts';
import { KeyValueUnavailable } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { openSession } from '../auth/open-session';
import { hashPassword, isTooShort } from '../auth/password';
import { normalizedEmail, trialKey } from '../auth/trial-key';
import type { Deps } from '../deps';
import { trialMs } from '../plan/plan-limits';

/** Sign-ups per address and hour (decisions 5). */
const signUps = { limit: 10, windowMs: 3_600_000 };

export function postAuthSignup(deps: Deps): HttpRoute {
  return implementRoute(configRoutes.signUp, {
    handler: async ({ body, request, response }) => {
      if (isTooShort(body.password)) throw apiError('password_too_short');
      await countSignUp(deps, request.ip ?? 'unknown');
      const email = normalizedEmail(body.email);
      const created = await deps.store.accounts.create({
        email, passwordHash: await hashPassword(body.password), organizationName: body.organization_name.trim(),
        tier: 'trial', trialKey: trialKey(email), trialEndsAt: new Date(Date.now() + trialMs),
      });
      if (!created.ok) throw apiError(created.reason);
      return { status: 201, body: { ...(await openSession(deps, response, created)), organization_id: created.organizationId } };
    },
  });
}

/** While the key-value store is away nobody is kept from signing up. */
async function countSignUp({ kv, logger }: Deps, address: string): Promise<void> {
  try {
    const { allowed, resetMs } = await kv.slideWindow(`signup:${address}`, signUps);
    if (!allowed) throw apiError('signup_limit_reached', {}, { 'Retry-After': String(Math.max(1, Math.ceil(resetMs / 1000))) });
  } catch (error) {
    if (!(error instanceof KeyValueUnavailable)) throw error;
    logger.warn('sign-ups are not counted', { error });
  }
}

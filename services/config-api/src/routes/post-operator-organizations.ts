import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { hashPassword, isTooShort } from '../auth/password';
import { normalizedEmail } from '../auth/trial-key';
import type { Deps } from '../deps';
import { trialMs } from '../plan/plan-limits';

export function postOperatorOrganizations({ authenticateOperator, store }: Deps): HttpRoute {
  return implementRoute(configRoutes.createOrganization, {
    authenticate: authenticateOperator,
    handler: async ({ body }) => {
      if (isTooShort(body.owner_password)) throw apiError('password_too_short');
      const tier = body.tier ?? 'free';
      const created = await store.accounts.create({
        email: normalizedEmail(body.owner_email), passwordHash: await hashPassword(body.owner_password), organizationName: body.name.trim(), tier,
        trialEndsAt: tier === 'trial' ? new Date(Date.now() + trialMs) : undefined,
      });
      if (!created.ok) throw apiError(created.reason);
      return { status: 201, body: { organization_id: created.organizationId, owner_user_id: created.userId } };
    },
  });
}

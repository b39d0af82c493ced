import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { assertGoodPassword } from '../accounts/passwords/common-password';
import { normalizedEmail, trialKeys } from '../accounts/trial-keys';
import type { OperatorDeps } from './deps';

export function postOperatorOrganizations({ authenticateOperator, passwords, store, times }: OperatorDeps): HttpRoute {
  return implementRoute(configRoutes.createOrganization, {
    authenticate: authenticateOperator,
    handler: async ({ address, body }) => {
      const [email, organizationName] = [normalizedEmail(body.owner_email), body.name.trim()];
      assertGoodPassword(body.owner_password, { email, organizationName });
      const tier = body.tier ?? 'free';
      const created = await store.accounts.create({
        email, passwordHash: await passwords.hash(body.owner_password, address), organizationName, tier, verified: true,
        trialKeys: trialKeys(email), trialMs: times.trialLengthMs,
      });
      if (!created.ok) throw apiError(created.reason);
      return { status: 201, body: { organization_id: created.organizationId, owner_user_id: created.userId } };
    },
  });
}

import { configRoutes, trialMs } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { assertGoodPassword } from '../accounts/common-password';
import { normalizedEmail, trialKeys } from '../accounts/trial-keys';
import type { OperatorDeps } from './deps';

export function postOperatorOrganizations({ authenticateOperator, passwords, store }: OperatorDeps): HttpRoute {
  return implementRoute(configRoutes.createOrganization, {
    authenticate: authenticateOperator,
    handler: async ({ address, body }) => {
      assertGoodPassword(body.owner_password);
      const tier = body.tier ?? 'free';
      const created = await store.accounts.create({
        email: normalizedEmail(body.owner_email), passwordHash: await passwords.hash(body.owner_password, address),
        organizationName: body.name.trim(), tier, verified: true, trialKeys: trialKeys(body.owner_email),
        trialEndsAt: tier === 'trial' ? new Date(Date.now() + trialMs) : undefined,
      });
      if (!created.ok) throw apiError(created.reason);
      return { status: 201, body: { organization_id: created.organizationId, owner_user_id: created.userId } };
    },
  });
}

import { configRoutes } from '@sluice/contracts';
import { countInWindow, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { trialKeys } from '../accounts/trial-keys';
import type { OrganizationDeps } from './deps';
import { listedOrganization } from './organization-view';

/** Organizations that one person may create within an hour. */
const perHour = { limit: 20, windowMs: 3_600_000 };

export function postOrgs({ authenticateAccount, limits, store, times }: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.addOrganization, {
    authenticate: authenticateAccount,
    handler: async ({ body, principal: { email, userId } }) => {
      await countInWindow(limits, `organizations:${userId}`, perHour);
      const organization = await store.organizations.add({
        name: body.name.trim(), ownerId: userId, trialKeys: trialKeys(email), trialMs: times.trialLengthMs,
      });
      return { status: 201, body: listedOrganization(organization, 'owner') };
    },
  });
}

import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { accountView } from './account-view';
import type { AccountDeps } from './deps';

/** Memberships of one account that are shown: all that anybody has. */
const everyMembership = { limit: 200, offset: 0 };

export function getMe({ authenticateCaller, store }: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.me, {
    authenticate: authenticateCaller,
    handler: async ({ principal }) => {
      if (principal.kind === 'key') {
        const { id, name, tier, state } = principal.organization;
        return { status: 200, body: { user: null, organization: { id, name, role: null, tier, state }, memberships: [] } };
      }
      const { items } = await store.members.organizationsOf(principal.userId, everyMembership);
      const { organization, role } = principal;
      return {
        status: 200,
        body: {
          user: accountView(principal.account),
          organization: organization && {
            id: organization.id, name: organization.name, role, tier: organization.tier, state: organization.state,
          },
          memberships: items.map(({ organizationId, name, role: own, state }) => ({
            organization_id: organizationId, name, role: own, state,
          })),
        },
      };
    },
  });
}

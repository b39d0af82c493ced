import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { iso } from '../../http/iso';
import type { InvitationDeps } from './deps';

export function getInvitations({ authenticate, store }: InvitationDeps): HttpRoute {
  return implementRoute(configRoutes.listInvitations, {
    authenticate,
    handler: async ({ principal, query }) => {
      const { items, total } = await store.invitations.list(principal.organization.id, query);
      return {
        status: 200,
        body: {
          items: items.map(({ id, email, role, createdAt, expiresAt, invitedBy }) => ({
            id, email, role, expires_at: iso(expiresAt), created_at: iso(createdAt), invited_by: invitedBy,
          })),
          total,
        },
      };
    },
  });
}

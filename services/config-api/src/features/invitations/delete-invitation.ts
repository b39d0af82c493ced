import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { InvitationDeps } from './deps';

export function deleteInvitation({ authenticate, store }: InvitationDeps): HttpRoute {
  return implementRoute(configRoutes.revokeInvitation, {
    authenticate,
    handler: async ({ params, principal }) => {
      if (!(await store.invitations.revoke(principal.organization.id, params.invitation_id))) throw apiError('Not Found');
      return { status: 204 };
    },
  });
}

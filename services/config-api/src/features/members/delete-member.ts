import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { actorOf } from '../../auth/principal';
import type { MemberDeps } from './deps';
import { memberRefusal } from './member-refusal';

/** Owners remove members; everybody may leave. */
export function deleteMember({ authenticate, store }: MemberDeps): HttpRoute {
  return implementRoute(configRoutes.removeMember, {
    authenticate,
    handler: async ({ params: { user_id: userId }, principal }) => {
      const { organization } = principal;
      const mayRemove = userId === actorOf(principal) || (principal.kind === 'user' && principal.role === 'owner');
      if (!mayRemove) {
        const role = await store.members.roleIn(organization.id, userId);
        throw apiError(role === null ? 'Not Found' : 'owner_required');
      }
      const removed = await store.members.remove(organization.id, userId);
      if (!removed.ok) throw memberRefusal(removed);
      return { status: 204 };
    },
  });
}

import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { MemberDeps } from './deps';
import { memberRefusal } from './member-refusal';
import { memberView } from './member-view';

export function patchMember({ authenticate, store }: MemberDeps): HttpRoute {
  return implementRoute(configRoutes.changeMember, {
    authenticate,
    handler: async ({ body, params, principal }) => {
      const changed = await store.members.setRole(principal.organization.id, params.user_id, body.role);
      if (!changed.ok) throw memberRefusal(changed);
      return { status: 200, body: memberView(changed.member) };
    },
  });
}

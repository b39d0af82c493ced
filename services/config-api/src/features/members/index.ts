import type { HttpRoute } from '@sluice/service-kit';
import { deleteMember } from './delete-member';
import type { MemberDeps } from './deps';
import { getMembers } from './get-members';
import { patchMember } from './patch-member';

/** The routes of an organization's members. */
export const memberRoutes = (deps: MemberDeps): HttpRoute[] => [deleteMember(deps), getMembers(deps), patchMember(deps)];

import type { HttpRoute } from '@sluice/service-kit';
import { deleteInvitation } from './delete-invitation';
import type { InvitationDeps } from './deps';
import { getInvitations } from './get-invitations';
import { postInvitationAccept } from './post-invitation-accept';
import { postInvitations } from './post-invitations';

/** The routes of invitations. */
export const invitationRoutes = (deps: InvitationDeps): HttpRoute[] => [
  deleteInvitation(deps), getInvitations(deps), postInvitationAccept(deps), postInvitations(deps),
];

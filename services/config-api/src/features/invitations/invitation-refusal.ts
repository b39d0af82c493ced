import type { AcceptRefusal, FoundInvitation, InvitationRefusal } from '@sluice/ports';
import { apiError, type HttpError } from '@sluice/service-kit';
import type { WithPublicUrl } from '../../http/with-public-url';
import { limitError } from '../../limits/limit-error';
import { upgradeUrl } from '../../plan/upgrade-url';

const codes = {
  already_member: 'already_member',
  organization_closing: 'organization_closing',
  not_found: 'invitation_not_found',
  revoked: 'invitation_revoked',
  expired: 'invitation_expired',
  accepted: 'invitation_accepted',
  other_account: 'invitation_for_other_account',
  // Somebody signed up with the address a moment ago: from now on it needs his session.
  account_exists: 'Not authenticated',
} as const;

/** The error answer where an invitation cannot be made or taken. */
export function invitationRefusal(deps: WithPublicUrl, refusal: InvitationRefusal | AcceptRefusal): HttpError {
  if (refusal.reason !== 'seat_limit_reached') return apiError(codes[refusal.reason]);
  const { limit, usage, organization } = refusal;
  return limitError('seat_limit_reached', organization, upgradeUrl(deps), { limit, usage });
}

/** The error answer for an invitation that has ended; null for an open one. */
export const endedInvitation = ({ state }: FoundInvitation): HttpError | null =>
  (state === 'open' ? null : apiError(codes[state]));

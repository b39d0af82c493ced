import { type BodyOf, configRoutes } from '@sluice/contracts';
import { type Acceptor, type FoundInvitation, noteAudit } from '@sluice/ports';
import { apiError, HttpError, type HttpRoute, implementRoute, validationEntry } from '@sluice/service-kit';
import type { AccountPrincipal, Caller } from '../../auth/principal';
import { tokenHash } from '../../mails/mail-token';
import { assertGoodPassword } from '../accounts/passwords/common-password';
import { newSession, signedIn } from '../accounts/open-session';
import { trialKeys } from '../accounts/trial-keys';
import type { InvitationDeps } from './deps';
import { endedInvitation, invitationRefusal } from './invitation-refusal';

type Wanted = BodyOf<typeof configRoutes.acceptInvitation>;

/** The token alone lets in a newcomer; an account that exists joins by its own session. */
export function postInvitationAccept(deps: InvitationDeps): HttpRoute {
  return implementRoute(configRoutes.acceptInvitation, {
    authenticate: async (request, context): Promise<Caller | null> =>
      request.headers.authorization === undefined ? null : deps.authenticateCaller(request, context),
    handler: async ({ address, body, params, principal, request, response }) => {
      const hash = tokenHash('invitation', params.token);
      const invitation = await deps.store.invitations.find(hash);
      if (!invitation) throw apiError('invitation_not_found');
      const { id, organizationId, email } = invitation;
      noteAudit({ organizationIds: [organizationId], targetId: id, label: email });
      const ended = endedInvitation(invitation);
      if (ended) throw ended;
      const { refreshToken, session } = newSession(deps, { address, request });
      const acceptor = invitation.userId === null
        ? { ...(await newcomer(deps, invitation, body, address)), session }
        : accountOf(principal, invitation);
      const accepted = await deps.store.invitations.accept(hash, acceptor);
      if (!accepted.ok) throw invitationRefusal(deps, accepted);
      const { userId, role, sessionId } = accepted;
      const joined = { organization_id: organizationId, user_id: userId, role };
      if (sessionId === null) return { status: 200, body: joined };
      const login = signedIn(deps, response, refreshToken, { sessionId, userId, organizationId });
      return { status: 200, body: { ...login, ...joined } };
    },
  });
}

/** Throws 401 without a session, 403 with that of another account. */
function accountOf(principal: Caller | null, { userId }: FoundInvitation): Extract<Acceptor, { userId: string }> {
  if (principal?.kind !== 'account') throw apiError('Not authenticated', {}, { 'WWW-Authenticate': 'Bearer' });
  if (principal.userId !== userId) throw apiError('invitation_for_other_account');
  return { userId, trialKeys: trialKeys((principal satisfies AccountPrincipal).email) };
}

async function newcomer(
  { passwords }: InvitationDeps,
  { email, organizationName }: FoundInvitation,
  { name, password }: Wanted,
  address: string,
): Promise<{ name: string; passwordHash: string }> {
  const missing = (field: string) => validationEntry('body', [field], 'missing', 'Field required', null);
  if (name === undefined || password === undefined) {
    throw new HttpError(422, [
      ...(password === undefined ? [missing('password')] : []), ...(name === undefined ? [missing('name')] : []),
    ]);
  }
  assertGoodPassword(password, { email, organizationName });
  return { name: name.trim(), passwordHash: await passwords.hash(password, address) };
}

import { configRoutes } from '@sluice/contracts';
import { apiError, countInWindow, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { iso } from '../../http/iso';
import { mailLink } from '../../mails/mail-link';
import { newToken } from '../../mails/mail-token';
import { normalizedEmail } from '../accounts/trial-keys';
import type { InvitationDeps } from './deps';
import { invitationRefusal } from './invitation-refusal';

/** Invitations of one organization within an hour. */
const perHour = { limit: 200, windowMs: 3_600_000 };

export function postInvitations(deps: InvitationDeps): HttpRoute {
  return implementRoute(configRoutes.createInvitation, {
    authenticate: deps.authenticate,
    handler: async ({ address, body: { role, ...body }, principal }) => {
      if (principal.kind === 'key') throw apiError('owner_required');
      const { organization, email: by, userId } = principal;
      await countInWindow(deps.limits, `invitations:${organization.id}`, perHour);
      const email = normalizedEmail(body.email);
      const { token, hash } = newToken('invitation');
      const { invitationTtlMs: ttlMs } = deps.times;
      const words = { url: mailLink(deps, 'invitations', token), organization: organization.name, by, role };
      const mayMail = await deps.mailBudget.allows({ kind: 'invitation', to: email, address });
      const created = await deps.store.invitations.create({
        organizationId: organization.id, email, role, invitedById: userId, tokenHash: hash, ttlMs,
        mail: mayMail ? deps.mailer.write('invitation', email, words, ttlMs) : null,
      });
      if (!created.ok) throw invitationRefusal(deps, created);
      const { invitation } = created;
      return {
        status: 201,
        body: { id: invitation.id, email: invitation.email, role: invitation.role, expires_at: iso(invitation.expiresAt) },
      };
    },
  });
}

import { randomInt } from 'node:crypto';
import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { mailLink } from '../../mails/mail-link';
import { newToken } from '../../mails/mail-token';
import { assertOwnPassword } from '../accounts/assert-own-password';
import { normalizedEmail } from '../accounts/trial-keys';
import { codeOwner } from './code-owner';
import type { AccountSecurityDeps } from './deps';

const kind = 'change_email';

export function postMeEmail(deps: AccountSecurityDeps): HttpRoute {
  return implementRoute(configRoutes.changeEmail, {
    authenticate: deps.authenticateAccount,
    handler: async ({ address, body, principal }) => {
      await assertOwnPassword(deps, principal, { address, password: body.password });
      const newEmail = normalizedEmail(body.new_email);
      if (await deps.mailBudget.allows({ kind, to: newEmail, address })) {
        const asked = await deps.store.mailTokens.requestEmailChange(changeOf(deps, principal, newEmail));
        if (!asked.ok) throw apiError(asked.reason);
      }
      return { status: 202 };
    },
  });
}

function changeOf(deps: AccountSecurityDeps, { email, userId }: { email: string; userId: string }, newEmail: string) {
  const { token, hash: tokenHash } = newToken(kind);
  const { tokenTtlMs: ttlMs } = deps.times;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const mail = deps.mailer.write(kind, newEmail, { url: mailLink(deps, 'confirm-email', token), code }, ttlMs);
  return {
    userId, newEmail, token: { tokenHash, ttlMs, mail }, codeHash: deps.codes.hash(codeOwner(userId), code),
    notice: deps.mailer.write('change_email_notice', email, { to: newEmail }, ttlMs),
  };
}

import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { mailLink } from '../../mails/mail-link';
import { newToken } from '../../mails/mail-token';
import { normalizedEmail } from '../accounts/trial-keys';
import type { AccountSecurityDeps } from './deps';

const kind = 'reset_password';

/** Always 202: nobody learns which addresses have accounts. */
export function postAuthPasswordReset(deps: AccountSecurityDeps): HttpRoute {
  return implementRoute(configRoutes.requestPasswordReset, {
    handler: async ({ address, body }) => {
      const email = normalizedEmail(body.email);
      if (await deps.mailBudget.allows({ kind, to: email, address })) {
        const { token, hash: tokenHash } = newToken(kind);
        const { tokenTtlMs: ttlMs } = deps.times;
        const mail = deps.mailer.write(kind, email, { url: mailLink(deps, 'password-reset', token) }, ttlMs);
        await deps.store.mailTokens.requestReset(email, { tokenHash, ttlMs, mail });
      }
      return { status: 202 };
    },
  });
}

import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { retryAfter } from '../../limits/retry-after';
import { tokenHash } from '../../mails/mail-token';
import { codeOwner } from './code-owner';
import type { AccountSecurityDeps } from './deps';

export function postMeEmailConfirm({ authenticateAccount, codes, mailer, store, times }: AccountSecurityDeps): HttpRoute {
  return implementRoute(configRoutes.confirmEmail, {
    authenticate: authenticateAccount,
    handler: async ({ body: { code = '', token }, principal: { userId } }) => {
      const proof = token === undefined
        ? { codeHashes: codes.candidates(codeOwner(userId), code.trim()) }
        : { tokenHash: tokenHash('change_email', token) };
      const confirmed = await store.mailTokens.confirmEmailChange({
        userId, proof, noticeOf: ({ from, to }) => mailer.write('email_changed', from, { to }, times.tokenTtlMs),
      });
      if (!confirmed.ok) throw apiError(confirmed.reason, {}, 'waitMs' in confirmed ? retryAfter(confirmed.waitMs) : {});
      return { status: 204 };
    },
  });
}

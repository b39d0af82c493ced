import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { tokenHash } from '../../mails/mail-token';
import { sessionOfRequest } from './tokens/session-of-request';
import { trialKeys } from './trial-keys';
import type { AccountDeps } from './deps';

export function postAuthVerifyEmail({ store, tokens }: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.verifyEmail, {
    handler: async ({ body, request }) => {
      const verified = await store.mailTokens.verify({
        tokenHash: tokenHash('verify_email', body.token),
        sessionUserId: sessionOfRequest(tokens, request)?.userId ?? null,
        trialKeysOf: trialKeys,
      });
      if (!verified.ok) throw apiError(verified.reason === 'other_account' ? 'verification_tab_required' : verified.reason);
      return { status: 204 };
    },
  });
}

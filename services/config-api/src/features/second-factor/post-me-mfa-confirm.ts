import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { SecondFactorDeps } from './deps';
import { codeRefusal, codeRequest, pendingMs } from './factor-code';
import { newRecoveryCodes } from './recovery-codes';

export function postMeMfaConfirm(deps: SecondFactorDeps): HttpRoute {
  return implementRoute(configRoutes.confirmMfa, {
    authenticate: deps.authenticateAccount,
    handler: async ({ body: { code }, principal: { userId } }) => {
      const { codes, store: { secondFactors } } = deps;
      const factor = await secondFactors.find(userId, pendingMs);
      if (!factor || factor.enabled) throw apiError('no_pending_enrollment');
      const { shown, hashes } = newRecoveryCodes(codes, userId);
      const confirmed = await secondFactors.confirm({ ...codeRequest(deps, { userId, code, factor }), recoveryHashes: hashes });
      if (!confirmed.ok) throw codeRefusal(confirmed, 'invalid_code');
      return { status: 200, body: { recovery_codes: shown } };
    },
  });
}

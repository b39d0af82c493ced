import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { assertOwnPassword } from '../accounts/assert-own-password';
import type { SecondFactorDeps } from './deps';
import { codeRefusal, codeRequest, enabledFactor } from './factor-code';
import { newRecoveryCodes } from './recovery-codes';

export function postMeMfaRecoveryCodes(deps: SecondFactorDeps): HttpRoute {
  return implementRoute(configRoutes.replaceRecoveryCodes, {
    authenticate: deps.authenticateAccount,
    handler: async ({ address, body: { code, password }, principal }) => {
      const { userId } = principal;
      const factor = await enabledFactor(deps, userId);
      await assertOwnPassword(deps, principal, { address, password });
      const { shown, hashes } = newRecoveryCodes(deps.codes, userId);
      const request = { ...codeRequest(deps, { userId, code, factor }), recoveryHashes: hashes };
      const replaced = await deps.store.secondFactors.replaceRecoveryCodes(request);
      if (!replaced.ok) throw codeRefusal(replaced, 'invalid_code');
      return { status: 200, body: { recovery_codes: shown } };
    },
  });
}

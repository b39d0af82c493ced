import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { assertOwnPassword } from '../accounts/assert-own-password';
import type { SecondFactorDeps } from './deps';
import { codeRefusal, codeRequest, enabledFactor } from './factor-code';

export function postMeMfaDisable(deps: SecondFactorDeps): HttpRoute {
  return implementRoute(configRoutes.disableMfa, {
    authenticate: deps.authenticateAccount,
    handler: async ({ address, body: { code, password }, principal }) => {
      const { userId } = principal;
      const factor = await enabledFactor(deps, userId);
      await assertOwnPassword(deps, principal, { address, password });
      const disabled = await deps.store.secondFactors.disable(codeRequest(deps, { userId, code, factor }));
      if (!disabled.ok) throw codeRefusal(disabled, 'invalid_code');
      return { status: 204 };
    },
  });
}

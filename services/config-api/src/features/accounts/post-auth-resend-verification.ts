import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { normalizedEmail } from './trial-keys';
import { verificationFor } from './verification';
import type { AccountDeps } from './deps';

/** Always 202: nobody learns which addresses have accounts. */
export function postAuthResendVerification(deps: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.resendVerification, {
    handler: async ({ address, body }) => {
      const email = normalizedEmail(body.email);
      const verification = await verificationFor(deps, email, address);
      if (verification) await deps.store.mailTokens.requestVerification(email, verification);
      return { status: 202 };
    },
  });
}

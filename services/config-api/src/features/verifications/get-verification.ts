import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { VerificationDeps } from './deps';
import { findVerification } from './find-verification';
import { verificationView } from './verification-view';

export function getVerification(deps: VerificationDeps): HttpRoute {
  return implementRoute(configRoutes.getVerification, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => (
      { status: 200, body: verificationView(await findVerification(deps, principal, params)) }
    ),
  });
}

import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { mayCancel } from '../../http/cancel-job';
import { findConnector } from '../../http/find-connector';
import type { VerificationDeps } from './deps';
import { verificationView } from './verification-view';

export function postVerificationCancel(deps: VerificationDeps): HttpRoute {
  return implementRoute(configRoutes.cancelVerification, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const job = await deps.verifications.cancel(connector.id, params.verification_id);
      if (!job) throw apiError('Not Found');
      mayCancel(job.status);
      return { status: 200, body: verificationView(job) };
    },
  });
}

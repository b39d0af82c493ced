import { configRoutes, isEnded } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { replayJobView } from '../replays/replay-job-view';
import type { VerificationDeps } from './deps';
import { findVerification } from './find-verification';

export function postVerificationRepair(deps: VerificationDeps): HttpRoute {
  return implementRoute(configRoutes.repairVerification, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, requestId, wide }) => {
      const { id, connectorId, status } = await findVerification(deps, principal, params);
      if (!isEnded(status)) throw apiError('job_running');
      const ids = await deps.verifications.repairedBy(id);
      if (ids.length === 0) throw apiError('nothing_to_repair');
      const job = await deps.replayJobs.create({
        organizationId: principal.organization.id, connectorId, match: { ids }, repair: true, force: false, dryRun: false,
        ratePerSecond: null, requestId,
      });
      wide.add({ connector_id: connectorId, verification_id: id, replay_id: job.id });
      return { status: 202, body: replayJobView(job) };
    },
  });
}

import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { ReplayDeps } from './deps';
import { replayJobView } from './replay-job-view';

export function getReplay(deps: ReplayDeps): HttpRoute {
  return implementRoute(configRoutes.getReplayJob, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const job = await deps.replayJobs.get(connector.id, params.replay_id);
      if (!job) throw apiError('Not Found');
      return { status: 200, body: replayJobView(job) };
    },
  });
}

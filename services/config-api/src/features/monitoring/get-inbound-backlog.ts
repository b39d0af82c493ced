import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { backlogView } from './backlog-view';
import type { MonitoringDeps } from './deps';
import type { UnreadSince } from './log-backlog';

export function getInboundBacklog(deps: MonitoringDeps, unreadSince: UnreadSince): HttpRoute {
  return implementRoute(configRoutes.inboundBacklog, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const { monitoring, backlog: { congestedMs, stalledMs: windowMs } } = deps;
      const { id } = await findConnector(deps, principal, params.connector_id);
      const now = (await monitoring.storeTime()).getTime();
      const [waiting, finished] = await Promise.all([
        unreadSince().then((since) => monitoring.waiting(id, 'inbound', since)),
        monitoring.endedSince(id, new Date(now - windowMs)),
      ]);
      return { status: 200, body: { connector_id: id, ...backlogView({ waiting, finished, windowMs, congestedMs, now }) } };
    },
  });
}

import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OperatorDeps } from './deps';
import { overviewView } from './overview-view';
import { readOverview } from './read-overview';

/** Set-aside messages that an answer names. */
const mostSetAside = 20;

export function getOperatorOverview(deps: OperatorDeps): HttpRoute {
  return implementRoute(configRoutes.overview, {
    authenticate: deps.authenticateOperator,
    handler: async ({ logger }) => {
      const { outbox } = deps.store;
      const reading = [readOverview(deps, logger), outbox.backlog(), outbox.setAside(mostSetAside)] as const;
      const [overview, backlog, items] = await Promise.all(reading);
      return { status: 200, body: overviewView(overview, { ...backlog, items }) };
    },
  });
}

import { configRoutes } from '@sluice/contracts';
import type { FailingSource } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { isoOrNull } from '../../http/iso';
import type { OperatorDeps } from './deps';
import { overviewView } from './overview-view';
import { readOverview } from './read-overview';

/** Set-aside messages, and sources that fail, that an answer names. */
const [mostSetAside, mostFailing] = [20, 50];

export function getOperatorOverview(deps: OperatorDeps): HttpRoute {
  return implementRoute(configRoutes.overview, {
    authenticate: deps.authenticateOperator,
    handler: async ({ logger }) => {
      const { outbox, sources } = deps.store;
      const reading = [
        readOverview(deps, logger), outbox.backlog(), outbox.setAside(mostSetAside), sources.failing(mostFailing),
      ] as const;
      const [overview, backlog, items, failing] = await Promise.all(reading);
      return { status: 200, body: { ...overviewView(overview, { ...backlog, items }),
        failing_sources: failing.map(failingView) } };
    },
  });
}

const failingView = ({ connectorId, lastError, lastPollAt, name, organizationId, type }: FailingSource) => ({
  organization_id: organizationId, connector_id: connectorId, name, type, last_error: lastError,
  last_poll_at: isoOrNull(lastPollAt),
});

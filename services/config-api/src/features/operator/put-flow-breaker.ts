import { configRoutes } from '@sluice/contracts';
import { noteAudit } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { flowHealth } from '../connectors/connector-health';
import type { OperatorDeps } from './deps';

/** What an operator wants of a breaker, as the store keeps it. */
const forcedOf = { open: 'open', closed: 'closed', automatic: null } as const;

export function putFlowBreaker(
  { authenticateOperator, breakerHealthyResetMs, breakers, configReader }: OperatorDeps,
): HttpRoute {
  return implementRoute(configRoutes.forceFlowBreaker, {
    authenticate: authenticateOperator,
    handler: async ({ body, params: { connector_id: connectorId, flow_name: name } }) => {
      const connector = await configReader.connector(connectorId);
      if (!connector || connector.deleted) throw apiError('connector_not_found');
      noteAudit({ organizationIds: [connector.organization_id] });
      const breaker = await breakers.force(connectorId, name, forcedOf[body.state]);
      const facts = { flows: [], breakers: [breaker], now: Date.now(), healthyResetMs: breakerHealthyResetMs };
      return { status: 200, body: flowHealth(name, facts) };
    },
  });
}

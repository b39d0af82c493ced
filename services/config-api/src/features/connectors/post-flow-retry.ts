import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { flowHealth } from './connector-health';
import type { ConnectorDeps } from './deps';
import { readFlowHealth } from './read-flow-health';

export function postFlowRetry(deps: ConnectorDeps): HttpRoute {
  return implementRoute(configRoutes.retryFlow, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, wide }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { flow_name: name } = params;
      wide.add({ connector_id: connector.id, flow_name: name });
      const { flows } = await readFlowHealth(deps, connector);
      if (!flows.some((flow) => flow.name === name)) throw apiError('Not Found');
      await deps.breakers.retry(connector.id, name);
      return { status: 202, body: flowHealth(name, await readFlowHealth(deps, connector)) };
    },
  });
}

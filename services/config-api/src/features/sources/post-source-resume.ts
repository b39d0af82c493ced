import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { SourceDeps } from './deps';

export function postSourceResume(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.resumeSource, {
    authenticate: deps.authenticate,
    handler: async ({ params: { connector_id: connectorId, name }, principal, wide }) => {
      const { id } = await findConnector(deps, principal, connectorId);
      wide.add({ connector_id: id, source: name });
      const source = (await deps.store.sources.list(id)).find((one) => one.name === name);
      if (!source) throw apiError('Not Found');
      if (source.type !== 'crm') throw apiError('no_crm_source');
      // A publish may have ended it meanwhile.
      if (!(await deps.store.sources.clearError(id, name))) throw apiError('Not Found');
      return { status: 202, body: { name, status: 'resumed' as const } };
    },
  });
}

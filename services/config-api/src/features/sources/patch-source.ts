import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { SourceDeps } from './deps';
import { placedSources } from './placed-sources';
import { sourceView } from './source-view';

export function patchSource(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.updateSource, {
    authenticate: deps.authenticate,
    handler: async ({ body: { enabled }, params: { connector_id: connectorId, name }, principal, wide }) => {
      const connector = await findConnector(deps, principal, connectorId);
      const { id } = connector;
      wide.add({ connector_id: id, source: name, enabled });
      if (!(await deps.store.sources.setEnabled(id, name, enabled))) throw apiError('Not Found');
      const changed = (await placedSources(deps, connector)).find((source) => source.name === name);
      // A publish may have ended the source meanwhile.
      if (!changed) throw apiError('Not Found');
      return { status: 200, body: sourceView(deps, id, changed) };
    },
  });
}

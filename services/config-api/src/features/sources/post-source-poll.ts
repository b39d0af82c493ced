import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { isPolled } from '@sluice/sources';
import { findConnector } from '../../http/find-connector';
import type { SourceDeps } from './deps';

export function postSourcePoll(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.pollSource, {
    authenticate: deps.authenticate,
    handler: async ({ params: { connector_id: connectorId, name }, principal, wide }) => {
      const { id } = await findConnector(deps, principal, connectorId);
      wide.add({ connector_id: id, source: name });
      const source = (await deps.store.sources.list(id)).find((one) => one.name === name);
      if (!source) throw apiError('Not Found');
      const isJournal = source.type === 'crm';
      if (!isJournal && !isPolled(source)) throw apiError('source_not_read');
      if (!source.enabled) throw apiError('source_disabled');
      // A publish may have ended it meanwhile.
      if (!(await deps.store.sources.requestPoll(id, name))) throw apiError('Not Found');
      return { status: 202, body: { name, status: 'queued' as const } };
    },
  });
}

import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { RecordDeps } from './deps';
import { syncEventView } from './sync-event-view';

export function getSyncEvents(deps: RecordDeps): HttpRoute {
  return implementRoute(configRoutes.listSyncEvents, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { since, until, external_id: externalId, event_id: eventId, ...rest } = query;
      const { items, nextCursor } = await deps.records.list(connector.id, {
        ...rest,
        externalId,
        eventId,
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
      });
      return { status: 200, body: { items: items.map(syncEventView), next_cursor: nextCursor } };
    },
  });
}

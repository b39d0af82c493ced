import { configRoutes } from '@sluice/contracts';
import type { ListedHeld } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { RecordDeps } from './deps';

export function getHeldEvents(deps: RecordDeps): HttpRoute {
  return implementRoute(configRoutes.listHeldEvents, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { items, nextCursor } = await deps.records.listHeld(connector.id, query);
      return { status: 200, body: { items: items.map(heldEventView), next_cursor: nextCursor } };
    },
  });
}

const heldEventView = (held: ListedHeld) => ({
  event_id: held.unit.eventId,
  entity_index: held.unit.entityIndex,
  run: held.unit.run,
  flow_name: held.flowName,
  event_type: held.eventType,
  external_id: held.externalId,
  reason: held.reason,
  until: held.until,
  attempts: held.attempts,
  error: held.error,
  error_code: held.errorCode,
  accepted_at: held.acceptedAt,
  held_since: held.heldSince,
});

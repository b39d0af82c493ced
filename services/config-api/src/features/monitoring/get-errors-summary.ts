import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { iso } from '../../http/iso';
import type { MonitoringDeps } from './deps';
import { rangeOf } from './time-range';

export function getErrorsSummary(deps: MonitoringDeps): HttpRoute {
  return implementRoute(configRoutes.summarizeErrors, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const range = rangeOf(query);
      const { groups, scanned, capped } = await deps.monitoring.errorSummary(connector.id, range);
      return {
        status: 200,
        body: {
          groups: groups.map(({ error, count, records, firstSeen, lastSeen }) => ({
            error, count,
            records: records.map(({ syncEventId, externalId, entityName, createdAt }) => ({
              sync_event_id: syncEventId, external_id: externalId, entity_name: entityName, created_at: iso(createdAt),
            })),
            first_seen: iso(firstSeen), last_seen: iso(lastSeen),
          })),
          since: iso(range.since), until: iso(range.until), scanned, scan_capped: capped,
        },
      };
    },
  });
}

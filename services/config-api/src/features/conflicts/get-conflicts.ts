import { configRoutes } from '@sluice/contracts';
import type { ConflictRecord } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { ConflictDeps } from './deps';

export function getConflicts(deps: ConflictDeps): HttpRoute {
  return implementRoute(configRoutes.listConflicts, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query: { external_id: externalId, ...query } }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { items, nextCursor } = await deps.conflicts.list(connector.id, { ...query, externalId });
      return { status: 200, body: { items: items.map(conflictView), next_cursor: nextCursor } };
    },
  });
}

const conflictView = (conflict: ConflictRecord) => ({
  id: conflict.id,
  entity_name: conflict.entityName,
  external_id: conflict.externalId,
  crm_id: conflict.crmId,
  property: conflict.property,
  source_value: conflict.sourceValue,
  target_value: conflict.targetValue,
  target_modified_at: conflict.targetModifiedAt,
  target_modified_by: conflict.targetModifiedBy,
  winner: conflict.winner,
  created_at: conflict.createdAt,
});

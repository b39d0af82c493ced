import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { readDraft } from '../drafts/draft-answer';
import type { SuggestionDeps } from './deps';
import { entityPayloads } from './entity-payloads';
import { portalProperties } from './portal-properties';

export function getFieldMappingSuggestions(deps: SuggestionDeps): HttpRoute {
  return implementRoute(configRoutes.suggestFieldMappings, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const config = (await readDraft(deps, connector.id)).config as ConfigDocument;
      const entity = config.entities.find(({ name }) => name === params.name);
      if (!entity) throw apiError('Not Found');
      const [payloads, { portal, properties }] = await Promise.all([
        entityPayloads(deps.eventIndex, connector.id, config, entity.name),
        portalProperties(deps, connector, entity.schemas.crm?.object_type),
      ]);
      const bytes = payloads.reduce((sum, { length }) => sum + length, 0);
      const job = { entity, payloads, properties };
      const items = await deps.configWork.run(principal.organization.id, 'suggest_mappings', job, { bytes });
      return { status: 200, body: { items, total: items.length, payloads_examined: payloads.length, portal } };
    },
  });
}

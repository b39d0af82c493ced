import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { boundPortal } from '../portal/bound-portal';
import { adopt } from './adopt';
import { adoptableEntity } from './adoptable-entity';
import type { IdentityDeps } from './deps';

export function postIdentityAdopt(deps: IdentityDeps): HttpRoute {
  return implementRoute(configRoutes.adoptRecord, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal, wide }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { entity_type: entity, external_id: externalId } = body;
      const adoptable = await adoptableEntity(deps, connector, entity);
      const portal = await boundPortal(deps, connector);
      const { status, crmId, message, candidates } = await adopt(portal, deps.store.mappings, {
        ...adoptable, connectorId: connector.id, entity, externalId, bindingEpoch: connector.binding!.epoch,
        matchProperty: body.match_property, matchValue: body.match_value,
      });
      wide.add({ connector_id: connector.id, entity, status });
      const answer = { status, crm_id: crmId, entity_type: entity, object_type: adoptable.objectType, external_id: externalId };
      return { status: 200, body: { ...answer, message, candidates } };
    },
  });
}

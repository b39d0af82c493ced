import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { chooseCredential } from './choose-portal';
import type { PortalDeps } from './deps';
import { readAnswer } from './read-answer';

export function getCrmAssociationTypes(deps: PortalDeps): HttpRoute {
  return implementRoute(configRoutes.listCrmAssociationTypes, {
    authenticate: deps.authenticate,
    handler: async ({ params, query, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const credentialId = await chooseCredential(deps.store, principal, connector, query.credential_id);
      const answer = await deps.portalReads.associationTypes(credentialId, params.from_object_type, params.to_object_type);
      const body = readAnswer(answer, query, ({ typeId, category, label }) => ({
        type_id: typeId, category: category === 'HUBSPOT_DEFINED' ? 'CRM_DEFINED' : category, label,
      }));
      return { status: 200, body };
    },
  });
}

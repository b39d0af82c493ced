import { configRoutes } from '@sluice/contracts';
import type { CrmPropertyDefinition } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { chooseCredential } from './choose-portal';
import type { PortalDeps } from './deps';
import { readAnswer } from './read-answer';

export function getCrmProperties(deps: PortalDeps): HttpRoute {
  return implementRoute(configRoutes.listCrmProperties, {
    authenticate: deps.authenticate,
    handler: async ({ params, query, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const credentialId = await chooseCredential(deps.store, principal, connector, query.credential_id);
      const answer = await deps.portalReads.properties(credentialId, params.object_type);
      return { status: 200, body: readAnswer(answer, query, propertyView) };
    },
  });
}

const propertyView = (property: CrmPropertyDefinition) => ({
  name: property.name, label: property.label, type: property.type, field_type: property.fieldType,
  group: property.groupName ?? null,
  options: (property.options ?? []).map(({ value, label }) => ({ value, label })),
  unique: property.hasUniqueValue === true, read_only: property.readOnly === true,
});

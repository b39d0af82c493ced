import { emptyConfig, type RequiredProvisioning } from '@sluice/config-model';
import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { apiError, HttpError, type HttpRoute, implementRoute, validationEntry } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { provision } from '../../provisioning/provision';
import { requiredOf } from '../../provisioning/required-of';
import { ownGroup } from '../../provisioning/own-group';
import { boundPortal } from './bound-portal';
import type { PortalDeps } from './deps';

export function postProvision(deps: PortalDeps): HttpRoute {
  return implementRoute(configRoutes.provisionPortal, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal, wide }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const draft = await deps.store.drafts.get(connector.id, emptyConfig());
      if (!draft) throw apiError('connector_not_found');
      const all = await requiredOf(deps, connector.organizationId, draft.config);
      const required = wantedOf(draft.config as ConfigDocument, all, body.entity?.trim() ?? null);
      const portal = await boundPortal(deps, connector);
      const { provisioned, errors } = await provision(portal, required, ownGroup(connector.settings));
      wide.add({ connector_id: connector.id, provisioned: provisioned.length, errors: errors.length });
      if (errors.length > 0)
        throw apiError('provisioning_failed', {
          message: 'The portal could not be given what the draft needs.', errors, provisioned,
        });
      return { status: 200, body: { portal_id: portal.portalId, provisioned } };
    },
  });
}

/** What the config needs, or one of its entities. */
function wantedOf(config: ConfigDocument, required: RequiredProvisioning, entity: string | null): RequiredProvisioning {
  if (entity === null) return required;
  if (!config.entities.some(({ name }) => name === entity))
    throw new HttpError(422, [
      validationEntry('body', ['entity'], 'undeclared_entity', `The draft has no entity '${entity}'`, entity),
    ]);
  return { entities: required.entities.filter((one) => one.entity === entity), pipelines: [] };
}

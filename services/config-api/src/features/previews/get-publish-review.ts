import { newCredentialHosts } from '@sluice/config-model';
import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { createsSomething } from '../../provisioning/plan-provisioning';
import { readDraft } from '../drafts/draft-answer';
import type { PreviewDeps } from './deps';
import { plannedProvisioning } from './planned-provisioning';

const nothing = { property_groups: [], properties: [], custom_objects: [], pipelines: [], errors: [], lost: false };

export function getPublishReview(deps: PreviewDeps): HttpRoute {
  return implementRoute(configRoutes.reviewPublish, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const draft = await readDraft(deps, connector.id);
      const plan = await plannedProvisioning(deps, connector, draft.config);
      if (plan === null && (await deps.store.organizations.usage(principal.organization.id)).portals > 1)
        throw apiError('crm_portal_not_bound', {
          message: 'Several portals are connected: bind the connector to one with credential_id.',
        });
      const { config: active = null } = (await deps.store.drafts.version(connector.id, 'active')) ?? {};
      const credential_hosts = newCredentialHosts(draft.config as ConfigDocument, active as ConfigDocument | null);
      const changesSomething = credential_hosts.length > 0 || (plan !== null && createsSomething(plan));
      const requires_confirmation = principal.organization.publishReview && changesSomething;
      const { lost: _lost, ...shown } = plan ?? nothing;
      return { status: 200, body: { draft_version: draft.draftVersion, requires_confirmation, ...shown, credential_hosts } };
    },
  });
}

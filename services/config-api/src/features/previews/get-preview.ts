import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { readDraft } from '../drafts/draft-answer';
import type { PreviewDeps } from './deps';
import { pluginChanges } from './plugin-changes';
import { resolvedChanges } from './resolved-changes';

export function getPreview(deps: PreviewDeps): HttpRoute {
  return implementRoute(configRoutes.previewPublish, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { config } = await readDraft(deps, connector.id);
      const active = await deps.store.drafts.version(connector.id, 'active');
      const [from, to] = [active && JSON.stringify(active.config), JSON.stringify(config)];
      const bytes = to.length + (from?.length ?? 0);
      const changes = await deps.configWork.run(principal.organization.id, 'compare_configs', { from, to }, { bytes });
      const resolved_changes = [
        ...(await pluginChanges(deps, connector, config as ConfigDocument)), ...(await resolvedChanges(deps, connector, config)),
      ];
      return { status: 200, body: { has_changes: changes.length > 0, changes, resolved_changes } };
    },
  });
}

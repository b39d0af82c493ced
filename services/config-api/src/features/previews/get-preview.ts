import { configChanges } from '@sluice/config-model';
import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { readDraft } from '../drafts/draft-answer';
import type { PreviewDeps } from './deps';
import { resolvedChanges } from './resolved-changes';

export function getPreview(deps: PreviewDeps): HttpRoute {
  return implementRoute(configRoutes.previewPublish, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const config = (await readDraft(deps, connector.id)).config as ConfigDocument;
      const active = await deps.store.drafts.version(connector.id, 'active');
      const changes = configChanges((active?.config ?? null) as ConfigDocument | null, config);
      const resolved_changes = await resolvedChanges(deps, connector, config);
      return { status: 200, body: { has_changes: changes.length > 0, changes, resolved_changes } };
    },
  });
}

import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { VersionDeps } from './deps';
import { findConnector } from '../../http/find-connector';
import { publishDraft } from './publish-draft';

export function postPublish(deps: VersionDeps): HttpRoute {
  return implementRoute(configRoutes.publishDraft, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal, wide }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const published = await publishDraft(deps, principal, connector, {
        changeSummary: body.change_summary ?? null,
        force: body.force ?? false,
        reviewedDraftVersion: body.review?.draft_version ?? null,
      });
      wide.add({ connector_id: connector.id, version: published.version, no_changes: published.no_changes });
      return { status: 200, body: published };
    },
  });
}

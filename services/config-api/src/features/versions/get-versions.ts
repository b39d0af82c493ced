import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { VersionDeps } from './deps';
import { findConnector } from '../../http/find-connector';
import { versionView } from './version-view';

export function getVersions(deps: VersionDeps): HttpRoute {
  return implementRoute(configRoutes.listVersions, {
    authenticate: deps.authenticate,
    handler: async ({ params, query, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const { items, total } = await deps.store.drafts.versions(id, query);
      return { status: 200, body: { items: items.map(versionView), total } };
    },
  });
}

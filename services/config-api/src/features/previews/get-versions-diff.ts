import { configChanges, jsonPatch } from '@sluice/config-model';
import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { PreviewDeps } from './deps';

export function getVersionsDiff(deps: PreviewDeps): HttpRoute {
  return implementRoute(configRoutes.diffVersions, {
    authenticate: deps.authenticate,
    handler: async ({ params: { connector_id, from, to }, principal }) => {
      const { id } = await findConnector(deps, principal, connector_id);
      const configOf = async (version: number): Promise<ConfigDocument> => {
        const found = await deps.store.drafts.version(id, version);
        if (!found) throw apiError('Not Found');
        return found.config as ConfigDocument;
      };
      const [before, after] = [await configOf(from), await configOf(to)];
      return { status: 200, body: { from, to, changes: configChanges(before, after), patch: jsonPatch(before, after) } };
    },
  });
}

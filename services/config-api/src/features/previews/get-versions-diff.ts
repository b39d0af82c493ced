import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { PreviewDeps } from './deps';

export function getVersionsDiff(deps: PreviewDeps): HttpRoute {
  return implementRoute(configRoutes.diffVersions, {
    authenticate: deps.authenticate,
    handler: async ({ params: { connector_id, ...versions }, principal }) => {
      const { id } = await findConnector(deps, principal, connector_id);
      const read = async (version: number): Promise<{ version: number; text: string }> => {
        const found = await deps.store.drafts.version(id, version);
        if (!found) throw apiError('Not Found');
        return { version, text: JSON.stringify(found.config) };
      };
      const [from, to] = [await read(versions.from), await read(versions.to)];
      const bytes = from.text.length + to.text.length;
      const answer = await deps.configWork.run(principal.organization.id, 'diff_versions', { from, to }, { bytes });
      return { status: 200, body: answer, contentType: 'application/json' };
    },
  });
}

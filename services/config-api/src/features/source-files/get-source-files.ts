import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { SourceFileDeps } from './deps';
import { fileSource } from './file-source';
import { sourceFileView } from './source-file-view';

export function getSourceFiles(deps: SourceFileDeps): HttpRoute {
  return implementRoute(configRoutes.listSourceFiles, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query }) => {
      const { connector: { id: connectorId }, source: { name } } = await fileSource(deps, principal, params);
      const { items, total } = await deps.sourceFiles.list({ connectorId, name }, query);
      return { status: 200, body: { items: items.map(sourceFileView), total } };
    },
  });
}

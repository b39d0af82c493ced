import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { SourceFileDeps } from './deps';
import { sourceFileView } from './source-file-view';

/** Discarded rows that are shown. */
const mostDiscarded = 10_000;

export function getSourceFile(deps: SourceFileDeps): HttpRoute {
  return implementRoute(configRoutes.getSourceFile, {
    authenticate: deps.authenticate,
    handler: async ({ params: { connector_id: id, file_id: fileId, name }, principal }) => {
      const { id: connectorId } = await findConnector(deps, principal, id);
      const file = await deps.sourceFiles.get({ connectorId, name }, fileId);
      if (!file) throw apiError('Not Found');
      const discarded = await deps.sourceFiles.discarded(file.id, mostDiscarded);
      return { status: 200, body: { ...sourceFileView(file), discarded } };
    },
  });
}

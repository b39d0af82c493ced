import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { VersionDeps } from './deps';
import { findConnector } from '../../http/find-connector';
import { documentReply } from '../../work/document-reply';
import { findVersion } from './find-version';

export function getVersion(deps: VersionDeps): HttpRoute {
  return implementRoute(configRoutes.getVersion, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const read = async (): Promise<string> => JSON.stringify(await findVersion(deps, id, params.version));
      return documentReply(deps.configWork, principal.organization.id, read);
    },
  });
}

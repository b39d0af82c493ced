import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { changeDraft, type DraftChange } from '../drafts/change-draft';
import type { VersionDeps } from './deps';
import { storedVersion } from './find-version';

/** Writes a version into the draft. Its base becomes the active version. */
export function postVersionRestore(deps: VersionDeps): HttpRoute {
  return implementRoute(configRoutes.restoreVersion, {
    authenticate: deps.authenticate,
    handler: async ({ body: { expected_version: expectedVersion }, bodyBytes, params, principal }) => {
      const { id, activeVersion } = await findConnector(deps, principal, params.connector_id);
      const change: DraftChange['change'] = async () => {
        const { config } = await storedVersion(deps, id, params.version);
        return { config, baseVersion: activeVersion ?? 0 };
      };
      const bytes = bodyBytes.length;
      return { status: 200, body: await changeDraft(deps, principal, id, { change, expectedVersion, bytes }) };
    },
  });
}

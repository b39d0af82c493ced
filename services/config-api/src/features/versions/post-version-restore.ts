import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { VersionDeps } from './deps';
import { readDraft, writeDraft } from '../drafts/draft-answer';
import { findConnector } from '../../http/find-connector';
import { findVersion } from './find-version';

/** Writes a version into the draft. Its base becomes the active version: who restores has seen what is published. */
export function postVersionRestore(deps: VersionDeps): HttpRoute {
  return implementRoute(configRoutes.restoreVersion, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      await readDraft(deps, connector.id);
      const { config } = await findVersion(deps, connector.id, params.version);
      const body = await writeDraft(deps, principal, connector.id, { config, baseVersion: connector.activeVersion ?? 0 });
      return { status: 200, body };
    },
  });
}

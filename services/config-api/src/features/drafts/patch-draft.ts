import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { changeDraft, type DraftChange } from './change-draft';
import type { DraftDeps } from './deps';
import { mergePatch } from '../../http/merge-patch';
import { takeExpectedVersion } from './take-expected-version';

export function patchDraft(deps: DraftDeps): HttpRoute {
  return implementRoute(configRoutes.patchDraft, {
    authenticate: deps.authenticate,
    handler: async ({ body, bodyBytes, params, principal }) => {
      const { rest, expectedVersion } = takeExpectedVersion(body);
      const { id } = await findConnector(deps, principal, params.connector_id);
      const patch = patchOf(rest);
      const change: DraftChange['change'] = (config) => ({ config: mergePatch(config, patch) });
      const bytes = bodyBytes.length;
      return { status: 200, body: await changeDraft(deps, principal, id, { change, expectedVersion, bytes }) };
    },
  });
}

/** The patch is the body itself; under the key `patch` in the older form. */
function patchOf(body: Record<string, unknown>): unknown {
  const wrapped = Object.keys(body).length === 1 && typeof body.patch === 'object' && body.patch !== null;
  return wrapped ? body.patch : body;
}

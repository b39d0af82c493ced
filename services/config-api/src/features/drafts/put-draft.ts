import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { changeDraft } from './change-draft';
import type { DraftDeps } from './deps';
import { takeExpectedVersion } from './take-expected-version';

export function putDraft(deps: DraftDeps): HttpRoute {
  return implementRoute(configRoutes.replaceDraft, {
    authenticate: deps.authenticate,
    handler: async ({ body, bodyBytes, params, principal }) => {
      const { rest: config, expectedVersion } = takeExpectedVersion(body);
      const { id } = await findConnector(deps, principal, params.connector_id);
      const replaced = { change: () => ({ config }), expectedVersion, bytes: bodyBytes.length };
      return { status: 200, body: await changeDraft(deps, principal, id, replaced) };
    },
  });
}

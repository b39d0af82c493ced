import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { changeDraft } from './change-draft';
import type { DraftDeps } from './deps';
import { putPart } from './draft-part';

export function putDraftFlow(deps: DraftDeps): HttpRoute {
  return implementRoute(configRoutes.putDraftFlow, {
    authenticate: deps.authenticate,
    handler: async ({ body: { expected_version: expectedVersion, ...body }, bodyBytes, params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const change = putPart('flows', params.name, body);
      const bytes = bodyBytes.length;
      return { status: 200, body: await changeDraft(deps, principal, id, { change, expectedVersion, bytes }) };
    },
  });
}

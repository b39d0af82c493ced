import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { changeDraft } from './change-draft';
import type { DraftDeps } from './deps';
import { removePart } from './draft-part';

export function deleteDraftFlow(deps: DraftDeps): HttpRoute {
  return implementRoute(configRoutes.deleteDraftFlow, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const change = removePart('flows', params.name);
      return { status: 200, body: await changeDraft(deps, principal, id, { change, bytes: 0 }) };
    },
  });
}

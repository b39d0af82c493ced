import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { changeDraft } from './change-draft';
import type { DraftDeps } from './deps';
import { removePart } from './draft-part';

export function deleteDraftEntity(deps: DraftDeps): HttpRoute {
  return implementRoute(configRoutes.deleteDraftEntity, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const change = removePart('entities', params.name);
      return { status: 200, body: await changeDraft(deps, principal, id, { change, bytes: 0 }) };
    },
  });
}

import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { changeDraft } from '../drafts/change-draft';
import type { SourceDeps } from './deps';
import { withoutSource } from './without-source';

export function deleteDraftSource(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.deleteDraftSource, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      return { status: 200, body: await changeDraft(deps, principal, id, { change: withoutSource(params.name), bytes: 0 }) };
    },
  });
}

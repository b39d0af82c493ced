import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { DraftDeps } from './deps';
import { draftAnswer, readDraft } from './draft-answer';
import { findConnector } from '../../http/find-connector';

export function getDraft(deps: DraftDeps): HttpRoute {
  return implementRoute(configRoutes.getDraft, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      return { status: 200, body: await draftAnswer(deps, principal.organization.id, id, await readDraft(deps, id)) };
    },
  });
}

import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { DraftDeps } from './deps';
import { readDraft, writeDraft } from './draft-answer';
import { findConnector } from '../../http/find-connector';

export function putDraft(deps: DraftDeps): HttpRoute {
  return implementRoute(configRoutes.replaceDraft, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      await readDraft(deps, id);
      return { status: 200, body: await writeDraft(deps, principal, id, { config: body }) };
    },
  });
}

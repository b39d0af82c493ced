import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { changeDraft, type DraftChange } from './change-draft';
import type { DraftDeps } from './deps';
import { discardPart } from './draft-part';

export function postDraftEntityDiscard(deps: DraftDeps): HttpRoute {
  return implementRoute(configRoutes.discardDraftEntity, {
    authenticate: deps.authenticate,
    handler: async ({ body: { expected_version: expectedVersion }, bodyBytes, params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const change: DraftChange['change'] = async (config) => {
        const active = await deps.store.drafts.version(id, 'active');
        return discardPart('entities', params.name, (active?.config ?? null) as ConfigDocument | null)(config);
      };
      const bytes = bodyBytes.length;
      return { status: 200, body: await changeDraft(deps, principal, id, { change, expectedVersion, bytes }) };
    },
  });
}

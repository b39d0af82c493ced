import { emptyConfig } from '@sluice/config-model';
import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { changeDraft, type DraftChange } from './change-draft';
import type { DraftDeps } from './deps';

export function postDraftReset(deps: DraftDeps): HttpRoute {
  return implementRoute(configRoutes.resetDraft, {
    authenticate: deps.authenticate,
    handler: async ({ body: { expected_version: expectedVersion }, bodyBytes, params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const change: DraftChange['change'] = async () => {
        const active = await deps.store.drafts.version(id, 'active');
        return { config: active?.config ?? emptyConfig(), baseVersion: active?.version ?? 0 };
      };
      const bytes = bodyBytes.length;
      return { status: 200, body: await changeDraft(deps, principal, id, { change, expectedVersion, bytes }) };
    },
  });
}

import { emptyConfig } from '@sluice/config-model';
import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { DraftDeps } from './deps';
import { readDraft, writeDraft } from './draft-answer';
import { findConnector } from '../../http/find-connector';

export function postDraftReset(deps: DraftDeps): HttpRoute {
  return implementRoute(configRoutes.resetDraft, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      await readDraft(deps, id);
      const active = await deps.store.drafts.version(id, 'active');
      const start = { config: active?.config ?? emptyConfig(), baseVersion: active?.version ?? 0 };
      return { status: 200, body: await writeDraft(deps, principal, id, start) };
    },
  });
}

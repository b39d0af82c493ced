import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { readDraft } from '../drafts/draft-answer';
import type { SourceDeps } from './deps';
import { sourceView } from './source-view';

export function patchSource(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.updateSource, {
    authenticate: deps.authenticate,
    handler: async ({ body: { enabled }, params, principal, wide }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      wide.add({ connector_id: id, source: params.name, enabled });
      const state = await deps.store.sources.setEnabled(id, params.name, enabled);
      if (!state) throw apiError('Not Found');
      const { sources } = (await readDraft(deps, id)).config as ConfigDocument;
      const drafted = sources.find(({ name }) => name === params.name) ?? null;
      return { status: 200, body: sourceView(deps, id, { name: params.name, drafted, state }) };
    },
  });
}

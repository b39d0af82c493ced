import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { readDraft } from '../drafts/draft-answer';
import type { SourceDeps } from './deps';
import { sourceView } from './source-view';

export function getSources(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.listSources, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const [draft, published] = await Promise.all([readDraft(deps, id), deps.store.sources.list(id)]);
      const drafted = new Map((draft.config as ConfigDocument).sources.map((source) => [source.name, source]));
      const states = new Map(published.map((state) => [state.name, state]));
      const names = [...new Set([...drafted.keys(), ...states.keys()])].sort();
      const items = names.map((name) =>
        sourceView(deps, id, { name, drafted: drafted.get(name) ?? null, state: states.get(name) ?? null }));
      return { status: 200, body: { items } };
    },
  });
}

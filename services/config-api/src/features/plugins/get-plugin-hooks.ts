import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { PluginDeps } from './deps';
import { findPlugin } from './find-plugin';
import { hookView } from './plugin-view';

export function getPluginHooks(deps: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.listPluginHooks, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query: { connector_id: connectorId = null, ...page } }) => {
      const { id } = await findPlugin(deps, principal, params.plugin_id);
      const { items, total } = await deps.store.plugins.hookPage(id, connectorId, page);
      return { status: 200, body: { items: items.map(hookView), total } };
    },
  });
}

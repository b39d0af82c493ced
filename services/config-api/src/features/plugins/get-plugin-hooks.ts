import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { PluginDeps } from './deps';
import { findPlugin } from './find-plugin';
import { hookView } from './plugin-view';

export function getPluginHooks(deps: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.listPluginHooks, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query }) => {
      const { id } = await findPlugin(deps, principal, params.plugin_id);
      const hooks = await deps.store.plugins.hooks(id, query.connector_id ?? null);
      return { status: 200, body: { items: hooks.map(hookView), total: hooks.length } };
    },
  });
}

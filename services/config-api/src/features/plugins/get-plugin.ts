import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { PluginDeps } from './deps';
import { findPlugin } from './find-plugin';
import { pluginView } from './plugin-view';

export function getPlugin(deps: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.getPlugin, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => ({
      status: 200, body: pluginView(await findPlugin(deps, principal, params.plugin_id)),
    }),
  });
}

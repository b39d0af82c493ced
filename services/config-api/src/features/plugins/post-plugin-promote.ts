import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { assertPluginsAllowed } from './checks/assert-plugins-allowed';
import type { PluginDeps } from './deps';
import { changedPlugin } from './plugin-refusal';
import { pluginView } from './plugin-view';

export function postPluginPromote(deps: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.promotePlugin, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal, wide }) => {
      assertPluginsAllowed(deps, principal);
      wide.add({ plugin_id: params.plugin_id, target: body.target });
      const answer = await deps.store.plugins.promote(principal.organization.id, params.plugin_id, body.target);
      return { status: 202, body: pluginView(changedPlugin(answer)) };
    },
  });
}

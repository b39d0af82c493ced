import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { userOf } from '../../auth/principal';
import { assertPluginsAllowed } from './checks/assert-plugins-allowed';
import type { PluginDeps } from './deps';
import { changedPlugin } from './plugin-refusal';
import { pluginView } from './plugin-view';
import { takeCapabilities } from './checks/take-capabilities';

export function postPlugins(deps: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.createPlugin, {
    authenticate: deps.authenticate,
    handler: async ({ body, principal, wide }) => {
      assertPluginsAllowed(deps, principal);
      const plugin = changedPlugin(await deps.store.plugins.create({
        organizationId: principal.organization.id, name: body.name.trim(),
        capabilities: takeCapabilities(body.capabilities ?? {}), createdById: userOf(principal),
      }));
      wide.add({ plugin_id: plugin.id });
      return { status: 201, body: pluginView(plugin) };
    },
  });
}

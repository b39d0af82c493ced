import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { PluginDeps } from './deps';
import { changedPlugin } from './plugin-refusal';
import { pluginView } from './plugin-view';
import { takeCapabilities } from './checks/take-capabilities';

export function patchPlugin({ authenticate, store }: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.updatePlugin, {
    authenticate,
    handler: async ({ body, params, principal }) => {
      const patch = {
        ...(body.name !== undefined && { name: body.name.trim() }),
        ...(body.capabilities !== undefined && { capabilities: takeCapabilities(body.capabilities) }),
      };
      const answer = await store.plugins.update(principal.organization.id, params.plugin_id, patch);
      return { status: 200, body: pluginView(changedPlugin(answer)) };
    },
  });
}

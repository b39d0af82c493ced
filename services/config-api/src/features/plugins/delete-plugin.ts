import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { PluginDeps } from './deps';

export function deletePlugin({ authenticate, store }: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.deletePlugin, {
    authenticate,
    handler: async ({ params, principal }) => {
      const removal = await store.plugins.remove(principal.organization.id, params.plugin_id);
      if (removal.ok) return { status: 204 };
      if (removal.reason === 'not_found') throw apiError('plugin_not_found');
      throw apiError('plugin_in_use', {
        message: 'Active versions use the plugin: publish versions without it first.', connectors: removal.connectors,
      });
    },
  });
}

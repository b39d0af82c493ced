import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { PluginDeps } from './deps';
import { pluginView } from './plugin-view';

export function getPlugins({ authenticate, store }: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.listPlugins, {
    authenticate,
    handler: async ({ query, principal }) => {
      const { items, total } = await store.plugins.list(principal.organization.id, query);
      return { status: 200, body: { items: items.map(pluginView), total } };
    },
  });
}

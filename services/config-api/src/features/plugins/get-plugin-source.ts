import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { PluginDeps } from './deps';
import { findPlugin } from './find-plugin';

export function getPluginSource(deps: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.getPluginSource, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const { id } = await findPlugin(deps, principal, params.plugin_id);
      const text = await deps.store.plugins.source(principal.organization.id, id);
      if (text === null) throw apiError('Not Found');
      return { status: 200, body: text, contentType: 'text/plain; charset=utf-8' };
    },
  });
}

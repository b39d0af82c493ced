import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { PluginDeps } from './deps';
import { requestHook } from './request-hook';

export function postPluginSetup(deps: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.setupPlugin, {
    authenticate: deps.authenticate,
    handler: ({ body, params, principal }) => requestHook(deps, principal, 'setup', params.plugin_id, body.connector_id),
  });
}

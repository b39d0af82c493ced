import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { PluginDeps } from './deps';
import { requestHook } from './request-hook';

export function postPluginTeardown(deps: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.teardownPlugin, {
    authenticate: deps.authenticate,
    handler: ({ body, params, principal }) => requestHook(deps, principal, 'teardown', params.plugin_id, body.connector_id),
  });
}

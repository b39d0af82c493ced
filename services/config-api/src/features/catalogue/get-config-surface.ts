import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { configSurface } from './config-surface';
import type { CatalogueDeps } from './deps';

export function getConfigSurface({ authenticate }: CatalogueDeps): HttpRoute {
  const surface = configSurface();
  return implementRoute(configRoutes.configSurface, { authenticate, handler: () => ({ status: 200, body: surface }) });
}

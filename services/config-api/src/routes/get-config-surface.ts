import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { configSurface } from '../catalogue/config-surface';
import type { Deps } from '../deps';

export function getConfigSurface({ authenticate }: Deps): HttpRoute {
  const surface = configSurface();
  return implementRoute(configRoutes.configSurface, { authenticate, handler: () => ({ status: 200, body: surface }) });
}

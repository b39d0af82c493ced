import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { QuickstartDeps } from './deps';
import { quickstart } from './quickstart';

export function getQuickstart({ publicUrl }: QuickstartDeps): HttpRoute {
  return implementRoute(configRoutes.quickstart, {
    handler: () => ({ status: 200, body: quickstart(publicUrl()), contentType: 'text/markdown' }),
  });
}

import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute, preparedDocument } from '@sluice/service-kit';
import { configSurface } from './config-surface';
import type { CatalogueDeps } from './deps';

export function getConfigSurface({ authenticate }: CatalogueDeps): HttpRoute {
  const answer = preparedDocument({ text: JSON.stringify(configSurface()), cacheControl: 'private, max-age=300' });
  return implementRoute(configRoutes.configSurface, {
    authenticate,
    handler: ({ request }) => ({ ...answer(request), contentType: 'application/json' }),
  });
}

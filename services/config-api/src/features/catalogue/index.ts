import type { HttpRoute } from '@sluice/service-kit';
import type { CatalogueDeps } from './deps';
import { getConfigSurface } from './get-config-surface';

/** The routes of the catalogue. */
export const catalogueRoutes = (deps: CatalogueDeps): HttpRoute[] => [
  getConfigSurface(deps),
];

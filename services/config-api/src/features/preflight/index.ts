import type { HttpRoute } from '@sluice/service-kit';
import type { PreflightDeps } from './deps';
import { getPreflight } from './get-preflight';

/** The route of the preflight. */
export const preflightRoutes = (deps: PreflightDeps): HttpRoute[] => [getPreflight(deps)];

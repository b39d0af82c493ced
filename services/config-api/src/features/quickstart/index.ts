import type { HttpRoute } from '@sluice/service-kit';
import type { QuickstartDeps } from './deps';
import { getQuickstart } from './get-quickstart';

/** The route of the guide for newcomers. */
export const quickstartRoutes = (deps: QuickstartDeps): HttpRoute[] => [getQuickstart(deps)];

import type { HttpRoute } from '@sluice/service-kit';
import type { OidcDeps } from './deps';
import { getOidcCallback } from './get-oidc-callback';
import { getOidcStart } from './get-oidc-start';
import { createOidcThrottle } from './oidc-throttle';

/** The routes of third-party sign-in, which share one throttle. */
export const oidcRoutes = (deps: OidcDeps, throttle = createOidcThrottle(deps)): HttpRoute[] => [
  getOidcCallback(deps, throttle),
  getOidcStart(deps, throttle),
];

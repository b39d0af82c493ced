import type { HttpRoute } from '@sluice/service-kit';
import type { OidcDeps } from './deps';
import { getOidcCallback } from './get-oidc-callback';
import { getOidcStart } from './get-oidc-start';
import { createOidcThrottle } from './oidc-throttle';

/** The routes of third-party sign-in. */
export function oidcRoutes(deps: OidcDeps): HttpRoute[] {
  const throttle = createOidcThrottle(deps);
  return [getOidcCallback(deps, throttle), getOidcStart(deps, throttle)];
}

import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { isSecure } from '../accounts/open-session';
import type { OidcDeps } from './deps';
import type { OidcThrottle } from './oidc-throttle';
import { setSignInCookie } from './sign-in-cookie';

export function getOidcStart(deps: OidcDeps, throttle: OidcThrottle): HttpRoute {
  return implementRoute(configRoutes.oidcStart, {
    handler: async ({ address, response }) => {
      const { identityProvider, keyring, now } = deps;
      if (identityProvider === null) throw apiError('oidc_not_configured');
      await throttle.admit(address);
      const begun = await identityProvider.start();
      if (!begun.ok) throw apiError('oidc_unavailable');
      const { checks, url } = begun.start;
      setSignInCookie(response, { checks, keyring, now: now(), secure: isSecure(deps) });
      return { status: 302, headers: { Location: url, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } };
    },
  });
}

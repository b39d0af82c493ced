import { apiError, type HttpRoute } from '@sluice/service-kit';
import type { Request } from 'express';

/**
 * The same route; one that signs a browser in or out takes no request that a page of another site makes, nor a body that a form
 * could send. A request without the headers of a browser comes from no browser, which has nobody's cookies.
 * @param publicUrl the installation's address, which a reverse proxy may replace in the Host header
 */
export function withSameSite(publicUrl: () => string): (route: HttpRoute) => HttpRoute {
  return (route) => {
    if (!route.contract.sameSite) return route;
    return {
      ...route,
      around: async (request, context, work) => {
        if (isCrossSite(request, publicUrl())) throw apiError('CSRF validation failed');
        if (hasBody(request) && !isJson(request)) throw apiError('Unsupported content type');
        return route.around ? route.around(request, context, work) : work();
      },
    };
  };
}

function isCrossSite({ headers }: Request, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site') return true;
  // Of browsers that know it, `same-site` is another host of the same domain, which the operator chose.
  if (headers.origin === undefined || site === 'same-site') return false;
  const host = hostOf(headers.origin);
  return host === null || (host !== headers.host?.toLowerCase() && host !== hostOf(publicUrl));
}

/** null: none, as of `Origin: null`, which a page without an address of its own sends. */
function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const isJson = ({ headers }: Request): boolean =>
  headers['content-type']?.split(';')[0]!.trim().toLowerCase() === 'application/json';

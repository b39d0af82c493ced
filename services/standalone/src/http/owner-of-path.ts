/** The services that answer at the public address. */
export type PathOwner = 'ingest-api' | 'config-api';

const ingestPrefixes = ['/api/v1/events', '/api/webhooks', '/api/v1/compat'];

/**
 * The service that answers a request target (docs/reference/single-process.md): a prefix ends at a slash, at the query or at the
 * end. Capital letters count as small ones, as in the routers of the services.
 */
export function ownerOfPath(target: string): PathOwner {
  const isBelow = (prefix: string): boolean => {
    if (target.length < prefix.length || target.slice(0, prefix.length).toLowerCase() !== prefix) return false;
    const next = target[prefix.length];
    return next === undefined || next === '/' || next === '?';
  };
  return ingestPrefixes.some(isBelow) ? 'ingest-api' : 'config-api';
}

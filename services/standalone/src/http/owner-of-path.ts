/** The services that answer at the public address. */
export type PathOwner = 'ingest-api' | 'config-api';

const ingestPrefixes = ['/api/v1/events', '/api/webhooks', '/api/v1/compat'];

/**
 * Whose a request target is (CONTRACT 2, SLUICE_PORT): a prefix ends at a slash, at the query, or at the end.
 * Capitals count as small letters, as in the services' own routers.
 */
export function ownerOfPath(target: string): PathOwner {
  const isBelow = (prefix: string): boolean => {
    if (target.length < prefix.length || target.slice(0, prefix.length).toLowerCase() !== prefix) return false;
    const next = target[prefix.length];
    return next === undefined || next === '/' || next === '?';
  };
  return ingestPrefixes.some(isBelow) ? 'ingest-api' : 'config-api';
}

import type { RouteContract } from '@sluice/contracts';

/** A path as a log line may have it. */
export type LoggedPath = (path: string) => string;

/**
 * Some routes carry a secret in their path, as a parameter named `token`: a log line has the parameter's name in its place.
 */
export function hideTokens(routes: readonly { contract: Pick<RouteContract, 'path'> }[]): LoggedPath {
  const hidden = [...new Set(routes.map(({ contract }) => contract.path))]
    .filter((path) => path.split('/').includes(':token'))
    .map((path) => ({ path, segments: path.toLowerCase().split('/') }));
  return (path) => {
    const given = path.split('/');
    const found = hidden.find(({ segments }) => isUnder(given, segments));
    if (!found) return path;
    const at = found.segments.indexOf(':token');
    return given.map((segment, index) => (index === at ? ':token' : segment)).join('/');
  };
}

/** Whether a path begins as a route does, up to its token: what follows may be a mistake, and the token a good one. */
function isUnder(given: readonly string[], segments: readonly string[]): boolean {
  const before = segments.slice(0, segments.indexOf(':token'));
  return given.length > before.length
    && before.every((segment, index) => segment.startsWith(':') || segment === given[index]?.toLowerCase());
}

import type { HttpRoute } from './implement-route';

/** The routes of one path. */
export interface PathGroup {
  path: string;
  routes: HttpRoute[];
}

/**
 * Routes grouped by path, fixed segments before parameters: `/connectors/from-template` is found whatever the order
 * in which routes were listed. Throws when two routes have one method and path.
 */
export function byPath(routes: readonly HttpRoute[]): PathGroup[] {
  const groups = new Map<string, PathGroup>();
  for (const route of routes) {
    const { path, method } = route.contract;
    const group = groups.get(path) ?? { path, routes: [] };
    if (group.routes.some(({ contract }) => contract.method === method))
      throw new Error(`two routes for ${method.toUpperCase()} ${path}`);
    group.routes.push(route);
    groups.set(path, group);
  }
  return [...groups.values()].sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1));
}

/** Sorts fixed segments (0) before parameters (1) before wildcards (2), segment by segment. */
function rank(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith('*') ? '2' : segment.startsWith(':') ? '1' : `0${segment}`))
    .join('/');
}

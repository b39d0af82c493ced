import type { RouteAuth, RouteContract } from './route';

/** The kinds of callers of the API. A caller with a revoked, ended or invented token or key is `nobody`. */
export const routeCallers = [
  'nobody', 'an owner', 'a member', 'a former member', 'an organization key', 'a connector key', 'the operator',
] as const;
export type RouteCaller = (typeof routeCallers)[number];

/** Callers that the config plane authenticates. All others get 401 there. */
const configCallers: ReadonlySet<RouteCaller> = new Set(['an owner', 'a member', 'a former member', 'an organization key']);

/** The one caller of a route that has no other. */
const onlyCaller: Partial<Record<RouteAuth, RouteCaller>> = { operator: 'the operator', connector_key: 'a connector key' };

/**
 * The answer for a caller at a route: `enters`, or the status with the code of a 403. A caller that enters gets the route's own
 * answer; objects of another organization are answered with 404.
 */
export function callerVerdict({ auth }: Pick<RouteContract, 'auth'>, caller: RouteCaller): string {
  if (auth === 'none') return 'enters';
  if (onlyCaller[auth] !== undefined) return caller === onlyCaller[auth] ? 'enters' : '401';
  if (!configCallers.has(caller)) return '401';
  if (caller === 'a former member') return '403 not_a_member';
  if (auth === 'owner' && caller !== 'an owner') return '403 owner_required';
  if (auth === 'owner_or_key' && caller === 'a member') return '403 owner_required';
  return auth === 'user' && caller === 'an organization key' ? '403 user_auth_required' : 'enters';
}

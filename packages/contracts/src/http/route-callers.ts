import type { RouteAuth, RouteContract } from './route';

/**
 * The kinds of callers of the API. A caller with a revoked, ended or invented token or key is `nobody`. A former member has
 * another organization; a person without an organization has none.
 */
export const routeCallers = [
  'nobody', 'an owner', 'a member', 'an owner of another organization', 'a former member', 'a person without an organization',
  'an organization key', 'a connector key', 'a webhook sender', 'a compat key', 'the operator',
] as const;
export type RouteCaller = (typeof routeCallers)[number];

/** Callers that the config plane authenticates. All others get 401 there. */
const configCallers: ReadonlySet<RouteCaller> = new Set([
  'an owner', 'a member', 'an owner of another organization', 'a former member', 'a person without an organization',
  'an organization key',
]);

/** The one caller of a route that has no other. */
const onlyCaller: Partial<Record<RouteAuth, RouteCaller>> = {
  operator: 'the operator', connector_key: 'a connector key', signature: 'a webhook sender', compat_key: 'a compat key',
};

type KeyRefusal = NonNullable<RouteContract['keyRefusal']>;

/** The code of the 403 for an organization key, unless the route names another; others let keys in. */
const keyRefusals: Partial<Record<RouteAuth, KeyRefusal>> = {
  user: 'user_auth_required', account: 'user_auth_required', owner: 'owner_required',
};

/** The code of the 403 for an organization key; undefined: it may call. */
export const keyRefusalOf = ({ auth, keyRefusal }: Pick<RouteContract, 'auth' | 'keyRefusal'>): KeyRefusal | undefined =>
  keyRefusals[auth] && (keyRefusal ?? keyRefusals[auth]);

/**
 * The answer for a caller at a route: `enters`, or the status with the code of a 403. A caller that enters gets the route's own
 * answer; objects of another organization are answered with 404, as is the organization in a path.
 */
export function callerVerdict(
  route: Pick<RouteContract, 'auth' | 'keyRefusal' | 'organization'>,
  caller: RouteCaller,
): string {
  const { auth } = route;
  if (auth === 'none') return 'enters';
  if (onlyCaller[auth] !== undefined) return caller === onlyCaller[auth] ? 'enters' : '401';
  if (!configCallers.has(caller)) return '401';
  if (caller === 'an organization key') return keyRefusalOf(route) === undefined ? 'enters' : `403 ${keyRefusalOf(route)}`;
  if (auth === 'account' || auth === 'account_or_key') return 'enters';
  if (caller === 'a person without an organization') return '403 no_active_organization';
  if (caller === 'a former member') return '403 not_a_member';
  if (caller === 'an owner of another organization') return route.organization === undefined ? 'enters' : '404';
  return (auth === 'owner' || auth === 'owner_or_key') && caller === 'a member' ? '403 owner_required' : 'enters';
}

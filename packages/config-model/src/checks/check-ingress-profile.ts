import { compatPathParts, type IngressProfile, type IngressRoute } from '@sluice/contracts';
import { urlProblem } from '@sluice/sources';
import { problem, type Loc, type Problem } from '../document/problem';
import type { ValidParts } from '../document/valid-parts';

const place = 'ingress_profile';

/** The rules of the legacy ingress that its schema does not express (docs/reference/config-document.md, Ingress profile). */
export function* checkIngressProfile(parts: ValidParts): Generator<Problem> {
  const { config: { ingress_profile: profile }, isSound, isOpen } = parts;
  if (profile === undefined || !isOpen([place])) return;
  const routes = isOpen([place, 'routes']) ? soundRoutes(profile, isSound) : [];
  for (const { route, loc } of routes) yield* checkRoute(route, loc);
  yield* repeatedPaths(routes);
  if (isSound([place, 'routes']) && isSound([place, 'resend_actions'])) yield* unproducibleTypes(profile);
  if (profile.fallback && isSound([place, 'fallback', 'base_url'])) yield* checkFallback(profile.fallback.base_url);
  yield* furtherEventApis(parts);
}

interface PlacedRoute {
  route: IngressRoute;
  loc: Loc;
}

const soundRoutes = ({ routes }: IngressProfile, isSound: ValidParts['isSound']): PlacedRoute[] =>
  routes.map((route, index) => ({ route, loc: [place, 'routes', index] })).filter(({ loc }) => isSound(loc));

function* checkRoute({ path, event, event_field: field, events }: IngressRoute, loc: Loc): Generator<Problem> {
  const fault = pathFault(path);
  if (fault !== null) yield problem(fault.type, [...loc, 'path'], fault.msg, path);
  if (event === undefined && field === undefined)
    yield problem('missing', [...loc, 'event'], `a route requires 'event' or 'event_field'`);
  if (event !== undefined && field !== undefined)
    yield problem('value_error', [...loc, 'event_field'], `'event_field' and 'event' exclude each other`, field);
  if (events !== undefined && field === undefined)
    yield problem('missing', [...loc, 'event_field'], `'events' requires 'event_field', whose values they are`);
  if (field !== undefined && !isDottedPath(field)) {
    const msg = `'event_field' must be a dotted path of the body such as meta.kind, without $ and without empty parts`;
    yield problem('value_error', [...loc, 'event_field'], msg, field);
  }
}

/** Not a reference: the legacy bodies name the field by its keys. */
const isDottedPath = (field: string): boolean =>
  field.split('.').every((part) => part.trim() !== '' && !part.startsWith('$') && !/[[\]]/.test(part));

function pathFault(path: string): Pick<Problem, 'type' | 'msg'> | null {
  const parts = compatPathParts(path);
  // A client leaves out `.` and `..`, and what follows `?` and `#` is no part of a path.
  const isCallable = parts.length > 0 && !/[?#%\\\s\p{Cc}]/u.test(path) && !parts.some((part) => part === '.' || part === '..');
  if (!isCallable)
    return {
      type: 'value_error', msg: `'path' must be a path such as orders/import, without spaces, ?, #, %, backslashes, . and ..`,
    };
  const [first, second] = parts;
  const isCheck = second === 'check' && parts.length > 2;
  const isResend = second === 'resend' && parts.length > 3;
  return first === 'api' && (isCheck || isResend)
    ? { type: 'reserved_path', msg: `'path' is reserved: api/check/<callId> and api/resend/<action>/<callId> are Sluice's own` }
    : null;
}

function* repeatedPaths(routes: readonly PlacedRoute[]): Generator<Problem> {
  const first = new Map<string, string>();
  for (const { route: { path }, loc } of routes) {
    const key = compatPathParts(path).join('/');
    const other = first.get(key);
    if (other === undefined) first.set(key, path);
    else
      yield problem(
        'duplicate_path', [...loc, 'path'],
        `the routes '${other}' and '${path}' have the same path: case and extra slashes make no difference`, path,
      );
  }
}

/** Event types of the resend actions that no route makes. A route that takes every value may make any. */
function* unproducibleTypes({ routes, resend_actions: actions = {} }: IngressProfile): Generator<Problem> {
  if (routes.some(({ event_field: field, events }) => field !== undefined && events === undefined)) return;
  const made = new Set(routes.flatMap(({ event, events = [] }) => (event === undefined ? events : [event])));
  for (const [action, types] of Object.entries(actions))
    for (const [index, type] of [types].flat().entries()) {
      if (made.has(type)) continue;
      const loc = [place, 'resend_actions', action, ...(Array.isArray(types) ? [index] : [])];
      yield problem('unproducible_event', loc, `resend action '${action}' names the event '${type}', which no route makes`, type);
    }
}

function checkFallback(url: string): Problem[] {
  const loc = [place, 'fallback', 'base_url'];
  return urlProblem(url, ['base_url']).map(({ code, message, input }) => problem(code, loc, message, input ?? null));
}

/** Calls of the compat ingress arrive as events of the one source of this type. */
function* furtherEventApis({ sources, isSound }: ValidParts): Generator<Problem> {
  const [, ...further] = sources.filter(({ index, value }) => isSound(['sources', index, 'type']) && value.type === 'event_api');
  for (const { index, value } of further)
    yield problem(
      'event_api_not_unique', ['sources', index, 'type'],
      `a config with an ingress_profile has one source of the type event_api, and '${value.name}' is a further one`, value.type,
    );
}

import { compatPathParts, type IngressRoute, type IngressSplit } from '@sluice/contracts';
import type { VersionSources } from '@sluice/ports';

/** A path that takes calls. */
export interface CompiledRoute {
  split: IngressSplit;
  /** The type of a call's events; null: the body names none that the route takes. */
  eventType(body: Readonly<Record<string, unknown>>): string | null;
}

/** The legacy-compatible ingress of a connector, compiled. */
export interface CompiledIngress {
  /** Header of the key, as the profile writes it. */
  authHeader: string;
  maxEntities: number;
  /** By their parts, joined by a slash. */
  routes: ReadonlyMap<string, CompiledRoute>;
  /** Event types of an action; undefined: there is none of that name. Case decides only between names that are else the same. */
  resendTypes(action: string): ReadonlySet<string> | undefined;
  /** Base of the service that Sluice replaces, while calls that Sluice does not know go there. */
  fallback: string | null;
}

const defaultMaxEntities = 500;
const longestEventType = 256;

/** null: the version has no ingress profile. */
export function compileIngress({ ingressProfile: profile }: Pick<VersionSources, 'ingressProfile'>): CompiledIngress | null {
  if (profile === null) return null;
  const { fallback } = profile;
  return {
    authHeader: profile.auth_header,
    maxEntities: profile.max_entities ?? defaultMaxEntities,
    routes: new Map(profile.routes.map((route) => [compatPathParts(route.path).join('/'), compileRoute(route)])),
    resendTypes: compileActions(profile.resend_actions ?? {}),
    fallback: fallback && fallback.enabled !== false ? fallback.base_url : null,
  };
}

function compileActions(actions: Readonly<Record<string, string | readonly string[]>>): CompiledIngress['resendTypes'] {
  const named = Object.entries(actions).map(([name, types]) => [name, new Set([types].flat())] as const);
  const exact = new Map(named);
  const anyCase = new Map(named.map(([name, types]) => [name.toLowerCase(), types]));
  return (action) => exact.get(action) ?? anyCase.get(action.toLowerCase());
}

function compileRoute({ event, event_field: field, events, split = 'entities' }: IngressRoute): CompiledRoute {
  if (event !== undefined) return { split, eventType: () => event };
  const keys = (field ?? '').split('.');
  const taken = events && new Set(events);
  const isTaken = (value: string): boolean => (taken ? taken.has(value) : value !== '' && value.length <= longestEventType);
  return {
    split,
    eventType: (body) => {
      let value: unknown = body;
      for (const key of keys) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
      return typeof value === 'string' && isTaken(value) ? value : null;
    },
  };
}

/** A JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A route found for a request, with its decoded path parameters. */
export interface Match<R> {
  readonly route: R;
  readonly params: Record<string, string>;
}

interface Compiled<R> {
  readonly route: R;
  readonly segments: readonly string[];
}

/** Finds routes by method and path. Among several that fit, the first declared wins. */
export interface Router<R> {
  match(method: string, path: string): Match<R> | undefined;
  /** Whether some route has this path under another method. */
  knowsPath(path: string): boolean;
}

const split = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** `undefined` for a segment with broken percent-encoding, which then fits no route. */
function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function fit(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (let i = 0; i < pattern.length; i += 1) {
    const wanted = pattern[i]!;
    const given = segments[i]!;
    if (!wanted.startsWith(':')) {
      if (wanted !== given) return undefined;
      continue;
    }
    const decoded = decode(given);
    if (decoded === undefined) return undefined;
    params[wanted.slice(1)] = decoded;
  }
  return params;
}

/** Compiles routes into buckets by method and number of segments, so that a lookup looks at a handful. */
export function createRouter<R extends { method: string; path: string }>(routes: readonly R[]): Router<R> {
  const buckets = new Map<string, Compiled<R>[]>();
  const all: Compiled<R>[] = [];
  for (const route of routes) {
    const compiled = { route, segments: split(route.path) };
    const key = `${route.method} ${compiled.segments.length}`;
    const bucket = buckets.get(key) ?? [];
    bucket.push(compiled);
    buckets.set(key, bucket);
    all.push(compiled);
  }
  return {
    match(method, path) {
      const segments = split(path);
      for (const { route, segments: pattern } of buckets.get(`${method} ${segments.length}`) ?? []) {
        const params = fit(pattern, segments);
        if (params) return { route, params };
      }
      return undefined;
    },
    knowsPath(path) {
      const segments = split(path);
      return all.some((c) => c.segments.length === segments.length && fit(c.segments, segments) !== undefined);
    },
  };
}

/** Path parameters that name an object type: they stay readable in route labels. */
const kept = new Set([':t', ':from', ':to']);

/** The published path with ids replaced by `{name}`, for counting calls by route. */
export function routeLabel(pattern: string, publishedPath: string): string {
  const wanted = split(pattern);
  const given = split(publishedPath);
  const shift = given.length - wanted.length;
  return `/${given.map((segment, i) => {
    const name = wanted[i - shift];
    return name?.startsWith(':') && !kept.has(name) ? `{${name.slice(1)}}` : segment;
  }).join('/')}`;
}

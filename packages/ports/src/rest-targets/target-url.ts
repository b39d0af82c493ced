/**
 * The URL of a request: the path below a destination's base URL. `.` and `..` in it are refused, also encoded, because a value of
 * an event could change the called path. null: it is no URL, or not below the base.
 */
export function targetUrl(base: string, path: string): string | null {
  if (!URL.canParse(base)) return null;
  const url = new URL(base);
  const [, pathname = '', search = ''] = /^([^?#]*)(\?[^#]*)?/.exec(path) ?? [];
  if (pathname.split(/[/\\]/).some(isDotSegment)) return null;
  const joined = `${url.origin}${url.pathname.replace(/\/+$/, '')}/${pathname.replace(/^[/\\]+/, '')}`;
  const query = [url.search, search].map((part) => part.replace(/^\?/, '')).filter((part) => part !== '');
  const whole = query.length === 0 ? joined : `${joined}?${query.join('&')}`;
  return URL.canParse(whole) && new URL(whole).origin === url.origin ? whole : null;
}

/** For URL parsers a dot may be written %2e (URL standard, 4.3). */
const isDotSegment = (segment: string): boolean => ['.', '..'].includes(segment.replace(/%2e/gi, '.'));

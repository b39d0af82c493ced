import type { Request, Response } from 'express';
import { sameText } from '../../../auth/same-text';

/** Lifetime of a refresh token; every refresh starts it again. */
export const refreshTtlMs = 30 * 86_400_000;

const names = { refresh: 'sluice_refresh', csrf: 'sluice_csrf' };

/** Sets both cookies. The refresh token reaches `/api/auth` alone, the CSRF token is for scripts of the page to read. */
export function setSessionCookies(
  response: Response,
  { refreshToken, csrfToken }: { refreshToken: string; csrfToken: string },
  secure: boolean,
): void {
  const shared = { sameSite: 'lax' as const, secure, maxAge: refreshTtlMs };
  response.cookie(names.refresh, refreshToken, { ...shared, httpOnly: true, path: '/api/auth' });
  response.cookie(names.csrf, csrfToken, { ...shared, path: '/' });
}

export function clearSessionCookies(response: Response, secure: boolean): void {
  response.clearCookie(names.refresh, { sameSite: 'lax', secure, httpOnly: true, path: '/api/auth' });
  response.clearCookie(names.csrf, { sameSite: 'lax', secure, path: '/' });
}

/** What a request brings of its session: the refresh token, and the CSRF token of its header when the cookie has the same. */
export interface SessionCookies {
  refreshToken: string;
  /** null: the header is missing, or is not what the cookie says. */
  csrfToken: string | null;
}

/** null: the request has no refresh cookie. */
export function sessionCookiesOf(request: Request): SessionCookies | null {
  const cookies = request.cookies as Record<string, unknown>;
  const refreshToken = cookies[names.refresh];
  if (typeof refreshToken !== 'string' || refreshToken === '') return null;
  const [cookie, header] = [cookies[names.csrf], request.get('x-csrf-token')];
  const agree = typeof cookie === 'string' && cookie !== '' && header !== undefined && sameText(cookie, header);
  return { refreshToken, csrfToken: agree ? header : null };
}

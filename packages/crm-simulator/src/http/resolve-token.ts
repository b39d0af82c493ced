import { refuse } from './refusal';
import type { IssuedToken } from '../state/access-tokens';
import type { PortalState } from '../state/portal-state';
import type { SimulatorState } from '../state/simulator-state';

/** Life of the app's own tokens, seconds. */
const appTokenTtlS = 1_800;

/** Seconds until a token expires by its portal's present settings; negative when it has. */
export function secondsLeft(sim: SimulatorState, token: IssuedToken): number {
  const ttl = sim.portals.get(token.portalId)?.settings.tokenTtlS ?? appTokenTtlS;
  if (!token.expires) return ttl;
  return ttl - (sim.now() - token.issuedAt) / 1_000;
}

/** The bearer token of an Authorization header, known or not. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(header ?? '')?.[1];
}

/** A valid token, or the CRM's 401 (docs/reference/crm-api.md, Tokens). */
export function requireToken(sim: SimulatorState, header: string | undefined): IssuedToken {
  const bearer = bearerOf(header);
  const token = bearer === undefined ? undefined : sim.tokens.access(bearer);
  if (!token) {
    return refuse({ status: 401, category: 'INVALID_AUTHENTICATION',
      message: 'Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview' });
  }
  const left = secondsLeft(sim, token);
  if (left <= 0) {
    return refuse({
      status: 401,
      category: 'EXPIRED_AUTHENTICATION',
      message: `The OAuth token used to make this call expired ${Math.max(0, Math.floor(-left))} second(s) ago.`,
      context: { 'expire time': [new Date(sim.now() + left * 1_000).toISOString()] },
    });
  }
  return token;
}

/** Refuses with 403 MISSING_SCOPES unless one of the alternatives is granted completely. */
export function requireScopes(granted: readonly string[], alternatives: readonly (readonly string[])[]): void {
  if (alternatives.length === 0 || alternatives.some((set) => set.every((scope) => granted.includes(scope)))) return;
  refuse({
    status: 403,
    category: 'MISSING_SCOPES',
    message:
      "This app hasn't been granted all required scopes to make this call. Read more about required scopes here: https://developers.hubspot.com/scopes.",
    errors: [
      {
        message: 'One or more of the following scopes are required.',
        context: { requiredGranularScopes: [...new Set(alternatives.flat())] },
      },
    ],
    links: { scopes: 'https://developers.hubspot.com/scopes' },
  });
}

/** The scopes a token carries. */
export const scopesOf = (portal: PortalState | undefined, token: IssuedToken): readonly string[] =>
  portal?.settings.scopes ?? token.scopes ?? [];

import type { RouteContract } from '@sluice/contracts';
import type { ConfigStore } from '@sluice/ports';
import { apiError, type Authenticate, sha256Hex } from '@sluice/service-kit';
import type { Request } from 'express';
import type { RateLimit } from '../plan/create-rate-limit';
import { looksLikeOrganizationKey } from './api-key';
import type { OperatorThrottle } from './operator-throttle';
import { operatorPrincipal, type Principal, principalFields } from './principal';
import { sameText } from './same-text';
import type { SessionTokens } from './session-token';

const challenge = { 'WWW-Authenticate': 'Bearer' };

export interface AuthenticateDeps {
  store: Pick<ConfigStore, 'accounts' | 'organizations'>;
  tokens: SessionTokens;
  rateLimit: RateLimit;
}

/**
 * Authenticates callers of the config plane (docs/reference/accounts-and-plans.md), then counts the request for the organization.
 */
export function createAuthenticate({ store, tokens, rateLimit }: AuthenticateDeps): Authenticate<Principal> {
  return async (request, context) => {
    const { contract, wide } = context;
    const token = bearerToken(request);
    const principal = looksLikeOrganizationKey(token) ? await byKey(store, token) : await bySession(store, tokens, token);
    context.principal = principal;
    wide.add(principalFields(principal));
    await rateLimit(principal.organization.id);
    assertAllowed(principal, contract);
    return principal;
  };
}

/** `/operator`: 404 as if it were not there while the installation has no operator token. */
export function createAuthenticateOperator(operatorToken: string | null, throttle: OperatorThrottle): Authenticate<null> {
  return async (request, context) => {
    const { address, wide } = context;
    if (operatorToken === null) throw apiError('Not Found');
    const token = bearerToken(request);
    await throttle.check(address, token, (given) => sameText(given, operatorToken));
    context.principal = operatorPrincipal;
    wide.add({ principal: 'operator' });
    return null;
  };
}

function bearerToken(request: Request): string {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw apiError('Not authenticated', {}, challenge);
  return token;
}

async function byKey({ organizations }: AuthenticateDeps['store'], key: string): Promise<Principal> {
  const found = await organizations.byKeyHash(sha256Hex(key));
  if (!found) throw apiError('Invalid token', {}, challenge);
  return { kind: 'key', ...found };
}

async function bySession({ accounts }: AuthenticateDeps['store'], tokens: SessionTokens, token: string): Promise<Principal> {
  const read = tokens.read(token);
  if (!read.ok) throw apiError(read.detail, {}, challenge);
  const actor = await accounts.sessionActor(read.claims.sessionId);
  if (!actor || actor.userId !== read.claims.userId) throw apiError('Invalid token', {}, challenge);
  const { role, ...user } = actor;
  if (role === null) throw apiError('not_a_member');
  return { kind: 'user', ...user, role };
}

/** A closed organization can be read and no longer changed; a suspended or closing one can still be changed (its events wait). */
function assertAllowed(principal: Principal, { auth, method }: RouteContract): void {
  if (auth === 'user' && principal.kind !== 'user') throw apiError('user_auth_required');
  if (auth === 'owner' && !(principal.kind === 'user' && principal.role === 'owner')) throw apiError('owner_required');
  if (auth === 'owner_or_key' && principal.kind === 'user' && principal.role !== 'owner') throw apiError('owner_required');
  if (method !== 'get' && principal.organization.state === 'closed') throw apiError('organization_closed');
}

import { keyRefusalOf, type RouteContract } from '@sluice/contracts';
import type { ConfigStore, SessionActor } from '@sluice/ports';
import { apiError, type Authenticate, type CallContext, sha256Hex } from '@sluice/service-kit';
import type { Request } from 'express';
import type { RateLimit } from '../limits/create-rate-limit';
import { looksLikeOrganizationKey } from './api-key';
import { assertVerified } from './assert-verified';
import type { OperatorThrottle } from './operator-throttle';
import { type AccountPrincipal, type Caller, operatorPrincipal, type Principal, principalFields } from './principal';
import { sameText } from './same-text';
import type { SessionTokens } from './session-token';

const challenge = { 'WWW-Authenticate': 'Bearer' };

export interface AuthenticateDeps {
  store: Pick<ConfigStore, 'accounts' | 'members' | 'organizations'>;
  tokens: SessionTokens;
  rateLimit: RateLimit;
  publicUrl(): string;
}

/** How callers of the config plane are authenticated, by what the route acts in (docs/reference/accounts-and-plans.md). */
export interface Authenticators {
  /** In an organization: a person in his active one, or a key in its own. */
  authenticate: Authenticate<Principal>;
  /** In the caller's account, whether he has an organization or not. */
  authenticateAccount: Authenticate<AccountPrincipal>;
  /** In the caller's account, or the organization of a key. */
  authenticateCaller: Authenticate<Caller>;
}

type Key = Extract<Principal, { kind: 'key' }>;
interface Session {
  kind: 'session';
  sessionId: string;
  actor: SessionActor;
}

/** Every one counts the request, for the organization or, without one, for the person. */
export function createAuthenticate(deps: AuthenticateDeps): Authenticators {
  const { store, rateLimit } = deps;
  const caller = async (request: Request, context: CallContext): Promise<Caller> => {
    const found = await identify(deps, request);
    const principal = found.kind === 'key' ? found : accountPrincipal(found);
    note(context, principal);
    await rateLimit(principal.organization?.id ?? `user:${(principal as AccountPrincipal).userId}`);
    assertKeyAllowed(principal, context.contract);
    return principal;
  };
  return {
    async authenticate(request, context) {
      const { contract } = context;
      const found = await identify(deps, request);
      const principal = found.kind === 'key' ? found : userPrincipal(found);
      note(context, principal);
      await rateLimit(principal.organization.id);
      assertKeyAllowed(principal, contract);
      if (contract.organization !== undefined) await assertOrganization(store, principal, request, contract);
      assertAllowed(principal, contract);
      if (contract.needsVerified) assertVerified(deps, principal);
      return principal;
    },
    authenticateAccount: async (request, context) => (await caller(request, context)) as AccountPrincipal,
    authenticateCaller: caller,
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

function note(context: CallContext, principal: Principal | Caller): void {
  context.principal = principal;
  context.wide.add(principalFields(principal));
}

/** The token of the Authorization header. Throws 401. */
function bearerToken(request: Request): string {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw apiError('Not authenticated', {}, challenge);
  return token;
}

/** Who a request's token speaks for. Throws 401. */
async function identify(deps: Pick<AuthenticateDeps, 'store' | 'tokens'>, request: Request): Promise<Key | Session> {
  const token = bearerToken(request);
  return looksLikeOrganizationKey(token) ? byKey(deps.store, token) : bySession(deps, token);
}

async function byKey({ organizations }: AuthenticateDeps['store'], key: string): Promise<Key> {
  const found = await organizations.byKeyHash(sha256Hex(key));
  if (!found) throw apiError('Invalid token', {}, challenge);
  return { kind: 'key', ...found };
}

async function bySession(
  { store: { accounts }, tokens }: Pick<AuthenticateDeps, 'store' | 'tokens'>,
  token: string,
): Promise<Session> {
  const read = tokens.read(token);
  if (!read.ok) throw apiError(read.detail, {}, challenge);
  const { sessionId, userId } = read.claims;
  const actor = await accounts.sessionActor(sessionId);
  if (!actor) {
    const user = await accounts.userById(userId);
    throw apiError(user ? 'Invalid token' : 'User not found', {}, challenge);
  }
  if (actor.account.id !== userId) throw apiError('Invalid token claims', {}, challenge);
  if (actor.account.deactivated) throw apiError('account_deactivated', {}, challenge);
  return { kind: 'session', sessionId, actor };
}

const signedIn = ({ sessionId, actor: { account } }: Session) =>
  ({ userId: account.id, email: account.email, account, sessionId });

function accountPrincipal(session: Session): AccountPrincipal {
  const { organization, role } = session.actor;
  return { kind: 'account', ...signedIn(session), organization: role === null ? null : organization, role };
}

function userPrincipal(session: Session): Principal {
  const { organization, role, hasOrganization } = session.actor;
  if (organization !== null && role !== null) return { kind: 'user', ...signedIn(session), role, organization };
  throw apiError(organization !== null && hasOrganization ? 'not_a_member' : 'no_active_organization');
}

function assertKeyAllowed(principal: Principal | Caller, contract: RouteContract): void {
  const refusal = principal.kind === 'key' ? keyRefusalOf(contract) : undefined;
  if (refusal !== undefined) throw apiError(refusal);
}

/** The organization in the path: 404 unless the caller is a member of it, 403 where another one is active. */
async function assertOrganization(
  { members }: AuthenticateDeps['store'],
  principal: Principal,
  request: Request,
  contract: RouteContract,
): Promise<void> {
  const id = String(request.params['organization_id']);
  if (id === principal.organization.id) return;
  const role = principal.kind === 'user' ? await members.roleIn(id, principal.userId) : null;
  if (role === null) throw apiError('Not Found');
  if (contract.organization === 'active') throw apiError('wrong_active_org');
}

/** A closed organization can be read and no longer changed; a suspended or closing one can still be changed (its events wait). */
function assertAllowed(principal: Principal, { auth, method }: RouteContract): void {
  const needsOwner = auth === 'owner' || auth === 'owner_or_key';
  if (needsOwner && principal.kind === 'user' && principal.role !== 'owner') throw apiError('owner_required');
  if (method !== 'get' && principal.organization.state === 'closed') throw apiError('organization_closed');
}

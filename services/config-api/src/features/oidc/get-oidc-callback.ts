import { configRoutes } from '@sluice/contracts';
import type { ForeignIdentity, IdentityProvider, SignInChecks, UserRow } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute, sha256Hex } from '@sluice/service-kit';
import type { Request, Response } from 'express';
import { challengeFactor } from '../accounts/challenge-factor';
import { isSecure, openSession } from '../accounts/open-session';
import type { OidcDeps } from './deps';
import { foreignAccount } from './foreign-sign-in';
import type { OidcThrottle } from './oidc-throttle';
import { checksOf, clearSignInCookie, signInTtlMs } from './sign-in-cookie';

type Query = Readonly<Record<string, unknown>>;

export function getOidcCallback(deps: OidcDeps, throttle: OidcThrottle): HttpRoute {
  return implementRoute(configRoutes.oidcCallback, {
    handler: async ({ address, query, request, requestId, response }) => {
      const { identityProvider } = deps;
      if (identityProvider === null) throw apiError('oidc_not_configured');
      await throttle.admit(address);
      const user = await throttle.counted(address, async () => {
        const checks = await takeChecks(deps, request, query.state);
        if (query.error !== undefined) throw apiError('oidc_denied');
        const identity = await finish(identityProvider, query, checks);
        const account = await foreignAccount(deps, identity, { ip: address, requestId });
        if (account.deactivated) throw apiError('account_deactivated');
        return account;
      });
      clearSignInCookie(response, isSecure(deps));
      const location = await signIn(deps, user, { address, request, response });
      return { status: 302, headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } };
    },
  });
}

/** A sign-in is finished once, by the browser that began it. */
async function takeChecks({ keyring, limits, now }: OidcDeps, request: Request, state?: string): Promise<SignInChecks> {
  const checks = checksOf(request, { keyring, now: now(), state });
  if (checks === null) throw apiError('oidc_state_invalid');
  if ((await limits.increment(`oidc:taken:${sha256Hex(checks.state)}`, 1, { ttlMs: signInTtlMs })) > 1)
    throw apiError('oidc_state_invalid');
  return checks;
}

async function finish(provider: IdentityProvider, query: Query, checks: SignInChecks): Promise<ForeignIdentity> {
  const parameters = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const finished = await provider.finish(parameters, checks);
  if (!finished.ok) throw apiError(finished.reason === 'invalid' ? 'oidc_token_invalid' : 'oidc_unavailable');
  return finished.identity;
}

/** Where the browser goes: signed in, or to the second step. The address holds no token that opens anything by itself. */
async function signIn(
  deps: OidcDeps, user: UserRow, caller: { address: string; request: Request; response: Response },
): Promise<string> {
  const page = new URL(deps.publicUrl());
  if (user.mfaEnabled) {
    const { mfa_token: token } = await challengeFactor(deps, user.id, { elsewhere: true });
    page.hash = `mfa_token=${token}`;
    return page.toString();
  }
  const [organizationId = null] = user.organizationIds;
  await openSession(deps, caller, { userId: user.id, organizationId });
  return page.toString();
}

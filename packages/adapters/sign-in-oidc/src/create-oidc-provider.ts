import type { ForeignIdentity, IdentityProvider, ProviderAnswer } from '@sluice/ports';
import { type AddressCheckOptions, createAddressCheck, PrivateTargetError } from '@sluice/rest-client';
import {
  type Client, custom, type CustomHttpOptionsProvider, errors, generators, type IdTokenClaims, Issuer, type TokenSet,
  type UserinfoResponse,
} from 'openid-client';

/** Every call of the issuer goes to an address that may be called, whatever its discovery document names. */
export interface OidcProviderOptions extends AddressCheckOptions {
  /** The issuer's URL; its discovery document lies below it. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Where the browser comes back to. */
  redirectUri: string;
  /** Milliseconds for each call of the issuer. Default 5 s. */
  timeoutMs?: number;
  now?(): number;
}

/** Algorithms with which an ID token may be signed. Never `none`, and none with a shared secret. */
const algorithms = ['RS256', 'PS256', 'ES256', 'RS384', 'PS384', 'ES384', 'RS512', 'PS512', 'ES512'] as const;

/** Milliseconds after which the discovery document is read again. */
const knownForMs = 3_600_000;

/** Milliseconds by which the clock of an issuer may be ahead of ours. */
const clockAheadMs = 300_000;
/** Characters of a subject at most (OpenID Connect Core 1.0, section 2). */
const longestSubject = 255;

/** IdentityProvider on OpenID Connect, authorization code flow with PKCE. */
export function createOidcProvider(options: OidcProviderOptions): IdentityProvider {
  const { redirectUri } = options;
  const client = createDiscovery(options);
  return {
    start: () => answered(async () => {
      const known = await client();
      const checks = { state: generators.state(), nonce: generators.nonce(), verifier: generators.codeVerifier() };
      const url = known.authorizationUrl({
        scope: 'openid email profile', state: checks.state, nonce: checks.nonce, redirect_uri: redirectUri,
        code_challenge: generators.codeChallenge(checks.verifier), code_challenge_method: 'S256',
      });
      return { start: { url, checks } };
    }),

    finish: (parameters, { state, nonce, verifier }) => answered(async () => {
      const known = await client();
      const tokens = await known.callback(
        redirectUri, parameters, { state, nonce, code_verifier: verifier, response_type: 'code' },
      );
      checkClaims(tokens.claims(), (options.now ?? Date.now)());
      return { identity: identityOf(known.issuer.metadata.issuer, await claimsOf(known, tokens)) };
    }),
  };
}

function checkedHttp({ timeoutMs = 5_000, ...addresses }: OidcProviderOptions): CustomHttpOptionsProvider {
  const { isRefused, lookup, agentOf } = createAddressCheck(addresses);
  return (url) => {
    if (isRefused(url)) throw new PrivateTargetError(url.hostname);
    return { timeout: timeoutMs, lookup, agent: agentOf(url) };
  };
}

/** The client of the issuer, by its discovery document. A failure is not remembered: the next sign-in asks again. */
function createDiscovery(options: OidcProviderOptions): () => Promise<Client> {
  const { issuer, clientId, clientSecret, redirectUri, now = Date.now } = options;
  const httpOptions = checkedHttp(options);
  // Of its own, because the options of a discovery are those of the class.
  class CheckedIssuer extends Issuer {}
  CheckedIssuer[custom.http_options] = httpOptions;
  let known: { client: Promise<Client>; at: number } | undefined;
  const discover = async (): Promise<Client> => {
    const found = await CheckedIssuer.discover(issuer);
    const offered = found.metadata['id_token_signing_alg_values_supported'] as string[] | undefined;
    const algorithm = algorithms.find((one) => offered?.includes(one)) ?? algorithms[0];
    const client = new found.Client({
      client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri], response_types: ['code'],
      id_token_signed_response_alg: algorithm,
    });
    for (const party of [found, client]) party[custom.http_options] = httpOptions;
    return client;
  };
  return () => {
    if (!known || now() - known.at > knownForMs) {
      const entry = { client: discover(), at: now() };
      known = entry;
      entry.client.catch(() => {
        if (known === entry) known = undefined;
      });
    }
    return known.client;
  };
}

/**
 * Claims that the client library does not check. Everybody with an empty subject would be the same account, and the end of a
 * token from a clock that is wrong cannot be judged.
 * @throws errors.RPError when a claim is not good
 */
function checkClaims({ sub, iat }: IdTokenClaims, now: number): void {
  const isSubject = typeof sub === 'string' && sub.trim() !== '' && sub.length <= longestSubject;
  if (!isSubject) throw new errors.RPError('the subject of the ID token is empty, too long or no string');
  if (iat * 1_000 > now + clockAheadMs) throw new errors.RPError('the ID token was issued in the future');
}

/**
 * The claims of the ID token; where it names no address, those of the UserInfo endpoint: with the code flow an issuer may leave
 * the claims of a scope to that endpoint (OpenID Connect Core 1.0, section 5.4). Address and `email_verified` come from the same
 * answer. The client refuses an answer about another subject than the token's.
 */
async function claimsOf(client: Client, tokens: TokenSet): Promise<UserinfoResponse> {
  const claims = tokens.claims();
  if (claims.email !== undefined || !client.issuer.metadata.userinfo_endpoint || !tokens.access_token) return claims;
  const told = await client.userinfo(tokens);
  return { ...told, name: told.name ?? claims.name };
}

function identityOf(issuer: string, { sub, email, email_verified: verified, name }: UserinfoResponse): ForeignIdentity {
  return { issuer, subject: sub, email: email ?? null, emailVerified: verified === true, name: name ?? null };
}

/** The words of the issuer stay here: they may repeat what was sent. */
async function answered<T extends object>(work: () => Promise<T>): Promise<ProviderAnswer<T>> {
  try {
    return { ok: true, ...(await work()) };
  } catch (error) {
    return { ok: false, reason: isRefusal(error) ? 'invalid' : 'unavailable' };
  }
}

/** What the issuer or a check says, unlike an outage: no connection, no answer in time, or a 5xx. */
function isRefusal(error: unknown): boolean {
  if (error instanceof errors.OPError) return (error.response?.statusCode ?? 400) < 500;
  return error instanceof errors.RPError && !/timed out/.test(error.message);
}

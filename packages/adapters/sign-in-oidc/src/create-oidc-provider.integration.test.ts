import type { IdentityProvider } from '@sluice/ports';
import { type IssuedToken, startOidcIssuer, type TestOidcIssuer } from '@sluice/testkit';
import { createOidcProvider, type OidcProviderOptions } from './create-oidc-provider';

const redirectUri = 'https://sluice.example/api/auth/oidc/callback';
let issuer: TestOidcIssuer;
let provider: IdentityProvider;
const created = (over: Partial<OidcProviderOptions> = {}): IdentityProvider => {
  const { url, clientId, clientSecret } = issuer;
  return createOidcProvider({ issuer: url, clientId, clientSecret, redirectUri, allowPrivateTargets: true, ...over });
};
beforeAll(async () => {
  issuer = await startOidcIssuer();
  provider = created();
});
beforeEach(() => issuer.issue({}));
afterAll(() => issuer.stop());

async function begun(by = provider) {
  const answer = await by.start();
  if (!answer.ok) throw new Error(answer.reason);
  return answer.start;
}
const parameters = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query));
/** A whole sign-in whose token is as it is said. */
async function signIn(token: IssuedToken = {}) {
  const { url, checks } = await begun();
  issuer.issue(token);
  return provider.finish(parameters(issuer.signIn(url)), checks);
}

test('begins with state, nonce and an S256 challenge, each of them new', async () => {
  const [one, other] = [await begun(), await begun()];
  const { origin, pathname, searchParams } = new URL(one.url);
  expect(origin + pathname).toBe(`${issuer.url}/authorize`);
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'sluice', response_type: 'code', scope: 'openid email profile', redirect_uri: redirectUri, state: one.checks.state,
    nonce: one.checks.nonce, code_challenge: expect.stringMatching(/^[\w-]{43}$/), code_challenge_method: 'S256',
  });
  expect(one.url).not.toContain(one.checks.verifier);
  for (const name of ['state', 'nonce', 'verifier'] as const) expect(one.checks[name]).not.toBe(other.checks[name]);
});

test('answers whom the issuer has signed in', async () => {
  const claims = { sub: 'ada-1', email: 'ada@shop.example', email_verified: true, name: 'Ada' };
  expect(await signIn({ claims })).toEqual({
    ok: true, identity: { issuer: issuer.url, subject: 'ada-1', email: 'ada@shop.example', emailVerified: true, name: 'Ada' },
  });
  expect(await signIn()).toMatchObject({ identity: { email: null, emailVerified: false, name: null } });
  expect(await signIn({ claims: { email: 'a@b.example', email_verified: 'true' } })).toMatchObject(
    { identity: { emailVerified: false } },
  );
});

test('asks the UserInfo endpoint for an address that the token does not name', async () => {
  const userInfo = { email: 'ada@shop.example', email_verified: true, name: 'Ada' };
  const identity = { issuer: issuer.url, subject: 'ada', email: 'ada@shop.example', emailVerified: true, name: 'Ada' };
  expect(await signIn({ userInfo })).toEqual({ ok: true, identity });
  const named = { claims: { email: 'token@shop.example', email_verified: false }, userInfo };
  expect(await signIn(named)).toMatchObject({ identity: { email: 'token@shop.example', emailVerified: false, name: null } });
  const halves = { claims: { email_verified: true, name: 'Ada' }, userInfo: { email: 'ada@shop.example' } };
  expect(await signIn(halves)).toEqual({ ok: true, identity: { ...identity, emailVerified: false } });
  expect(await signIn({ userInfo: { ...userInfo, sub: 'eve' } })).toEqual({ ok: false, reason: 'invalid' });
});

const long = 3_600;
const now = (): number => Math.floor(Date.now() / 1_000);
const wrong: [string, () => IssuedToken][] = [
  ['another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
  ['another audience', () => ({ claims: { aud: 'another' } })],
  ['several audiences and no authorized party', () => ({ claims: { aud: ['sluice', 'another'] } })],
  ['another authorized party', () => ({ claims: { azp: 'another' } })],
  ['another nonce', () => ({ claims: { nonce: 'another' } })],
  ['no nonce', () => ({ claims: { nonce: undefined } })],
  ['a time that has passed', () => ({ claims: { iat: now() - 2 * long, exp: now() - long } })],
  ['no end', () => ({ claims: { exp: undefined } })],
  ['no subject', () => ({ claims: { sub: undefined } })],
  ['an empty subject', () => ({ claims: { sub: '' } })],
  ['a subject of blanks', () => ({ claims: { sub: '  ' } })],
  ['a subject that is no string', () => ({ claims: { sub: 17 } })],
  ['a subject that is too long', () => ({ claims: { sub: 's'.repeat(256) } })],
  ['a time of issue in the future', () => ({ claims: { iat: now() + long, exp: now() + 2 * long } })],
  ['no signature', () => ({ algorithm: 'none' })],
  ['a signature with the client\'s secret', () => ({ algorithm: 'HS256' })],
  ['a signature of another key', () => ({ strangeKey: true })],
];
test.each(wrong)('a token with %s is refused', async (_what, token) => {
  expect(await signIn(token())).toEqual({ ok: false, reason: 'invalid' });
});

test('a token of an issuer whose clock is some minutes ahead is taken', async () => {
  expect(await signIn({ claims: { iat: now() + 200 } })).toMatchObject({ ok: true });
});

test('a code is good once, with its verifier, for its state', async () => {
  const { url, checks } = await begun();
  const query = parameters(issuer.signIn(url));
  const refused = { ok: false, reason: 'invalid' };
  expect(await provider.finish(query, { ...checks, state: 'another' })).toEqual(refused);
  expect(await provider.finish(query, { ...checks, verifier: 'v'.repeat(43) })).toEqual(refused);
  expect(await provider.finish(query, checks)).toMatchObject({ ok: true });
  expect(await provider.finish(query, checks)).toEqual(refused);
  expect(await provider.finish({ ...query, code: 'unknown' }, checks)).toEqual(refused);
});

test('an issuer that is away, slow or gone is unavailable, and found again when it is back', async () => {
  const { url, checks } = await begun();
  const query = parameters(issuer.signIn(url));
  const fresh = created();
  issuer.setAway(true);
  expect([await fresh.start(), await provider.finish(query, checks)]).toEqual(
    [{ ok: false, reason: 'unavailable' }, { ok: false, reason: 'unavailable' }],
  );
  issuer.setAway(false);
  expect([(await fresh.start()).ok, (await provider.finish(query, checks)).ok]).toEqual([true, true]);
  expect(await created({ issuer: 'http://127.0.0.1:9' }).start()).toEqual({ ok: false, reason: 'unavailable' });
});

test('keys are not read for every token', async () => {
  await signIn();
  const before = issuer.keyReads();
  for (let count = 0; count < 5; count += 1) await signIn();
  for (let count = 0; count < 3; count += 1) await signIn({ strangeKey: true });
  expect(issuer.keyReads() - before).toBeLessThanOrEqual(1);
});

describe('addresses that may not be called', () => {
  /** The issuer by a name that leads to it. */
  const named = (allowPrivateTargets: boolean): IdentityProvider => created({
    allowPrivateTargets, issuer: issuer.url.replace('127.0.0.1', 'issuer.example'),
    resolve: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  const refused = { ok: false, reason: 'unavailable' };

  test('an issuer on one is not asked', async () => {
    expect(await created({ allowPrivateTargets: false }).start()).toEqual(refused);
    expect(await created({ deniedTargets: ['127.0.0.0/8'] }).start()).toEqual(refused);
  });

  test('nor is one whose name leads to one', async () => {
    expect(await named(true).start()).toMatchObject({ ok: true });
    expect(await named(false).start()).toEqual(refused);
  });
});

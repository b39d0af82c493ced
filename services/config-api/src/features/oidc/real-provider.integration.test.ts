import type { SignInChecks } from '@sluice/ports';
import { eventually } from '@sluice/testkit';
import type { Request, Response } from 'express';
import { password, startLab } from '../../test-support/lab';
import { cookiesOf, pairsOf, refreshed } from '../../test-support/sign-in-cookies';
import { type RealOidcProvider, startOidcProvider } from '../../test-support/start-oidc-provider';
import { checksOf, setSignInCookie } from './sign-in-cookie';

/** Against the published oidc-provider. Tokens that it never issues (wrong issuer, times) are in oidc.integration.test.ts. */
const env = (): Record<string, string> => ({
  SLUICE_ALLOW_PRIVATE_TARGETS: 'on',
  SLUICE_OIDC_ISSUER: provider.url, SLUICE_OIDC_CLIENT_ID: provider.clientId, SLUICE_OIDC_CLIENT_SECRET: provider.clientSecret,
});
let provider: RealOidcProvider;
let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => {
  provider = await startOidcProvider('http://sluice.test/api/auth/oidc/callback');
  lab = await startLab(env());
});
afterAll(async () => {
  await lab.stop();
  await provider.stop();
});

interface Refusal {
  status: number;
  body: unknown;
  headers: Record<string, unknown>;
}

const error = (code: string) => ({ detail: { error: code } });
/** A sign-in that this service has begun: where the browser is sent, and its cookie. */
async function begun() {
  const answer = await lab.api().get('/api/auth/oidc/start').expect(302);
  const url = answer.headers['location']!;
  return { url, state: new URL(url).searchParams.get('state')!, cookie: pairsOf(answer) };
}
/** The same, and somebody has signed in at the provider. */
async function returned(login: string | null) {
  const started = await begun();
  return { ...started, query: await provider.signIn(started.url, login) };
}
const callback = (query: string, cookie: string, { api } = lab) =>
  api().get(`/api/auth/oidc/callback?${query}`).set('cookie', cookie);
const changed = (query: string, change: Record<string, string>): string =>
  new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(query)), ...change }).toString();
/** A whole sign-in: the answer with which the browser comes home. */
async function signIn(login: string | null) {
  const { query, cookie } = await returned(login);
  return callback(query, cookie);
}
const userOf = async (answer: Pick<Refusal, 'headers'>) =>
  (await (await refreshed(lab, answer)).get('/api/me').expect(200)).body;
async function expectRefused(call: PromiseLike<Refusal>, status: number, code: string): Promise<void> {
  const { status: answered, body, headers } = await call;
  expect([answered, body, cookiesOf({ headers })]).toEqual([status, error(code), []]);
}
/** The cookie of a sign-in with one of its checks replaced. */
function withChecks({ cookie, state }: { cookie: string; state: string }, replaced: Partial<SignInChecks>): string {
  const value = decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1));
  const { keyring, kv } = lab;
  const checks = checksOf({ cookies: { sluice_oidc: value } } as unknown as Request, { keyring, now: kv.now, state })!;
  let forged = '';
  const response = { cookie: (name: string, sealed: string) => { forged = `${name}=${encodeURIComponent(sealed)}`; } };
  setSignInCookie(response as unknown as Response, { checks: { ...checks, ...replaced }, keyring, now: kv.now, secure: false });
  return forged;
}

test('signs in by discovery, PKCE and the consent of the person, and finds the same account again', async () => {
  const answer = await signIn('new@oidc-company.example');
  expect([answer.status, answer.headers['location']]).toEqual([302, 'http://sluice.test/']);
  const me = await userOf(answer);
  expect(me).toMatchObject({
    user: { email: 'new@oidc-company.example', name: 'Ada', email_verified: true },
    organization: { role: 'owner', tier: 'trial' },
  });
  expect(await userOf(await signIn('new@oidc-company.example'))).toMatchObject({ user: { id: me.user.id } });
});

test('links a verified account to an address only when the provider has verified it', async () => {
  const owner = await lab.owner();
  await expectRefused(signIn(`unproven:${owner.email}`), 403, 'email_not_verified');
  expect((await userOf(await signIn(owner.email))).user).toMatchObject({ id: owner.userId, email: owner.email });
  await lab.api().post('/api/auth/login').send({ email: owner.email, password }).expect(200);
  const squatter = await lab.signUp('squatted@oidc.example');
  expect((await userOf(await signIn(squatter.email))).user.id).not.toBe(squatter.userId);
  await squatter.get('/api/me').expect(401);
});

test('tells that the person has cancelled at the provider', async () => {
  await expectRefused(signIn(null), 401, 'oidc_denied');
});

test('refuses the state of another browser, which can finish its sign-in itself', async () => {
  const [mine, other] = [await returned('ada@oidc.example'), await begun()];
  await expectRefused(callback(mine.query, other.cookie), 400, 'oidc_state_invalid');
  await expectRefused(callback(mine.query, ''), 400, 'oidc_state_invalid');
  expect((await callback(mine.query, mine.cookie)).status).toBe(302);
});

/** The provider's words arrive a little later than its answer. */
const expectRefusals = (reasons: string[]) =>
  eventually(() => expect(provider.refusals.slice(-reasons.length)).toEqual(reasons));

test('a verifier that does not belong to the code is refused by the provider, also with the right nonce', async () => {
  const [victim, thief] = [await returned('ada@oidc.example'), await begun()];
  const refusedBefore = provider.refusals.length;
  // A stolen code, put into the thief's own sign-in.
  await expectRefused(callback(changed(victim.query, { state: thief.state }), thief.cookie), 401, 'oidc_token_invalid');
  await expectRefused(callback(victim.query, withChecks(victim, { verifier: 'v'.repeat(43) })), 401, 'oidc_token_invalid');
  await expectRefusals(['PKCE verification failed', 'PKCE verification failed']);
  expect(provider.refusals).toHaveLength(refusedBefore + 2);
});

test('a code is taken once, also by an instance that does not know that the sign-in is finished', async () => {
  const { query, cookie } = await returned('ada@oidc.example');
  expect((await callback(query, cookie)).status).toBe(302);
  await expectRefused(callback(query, cookie), 400, 'oidc_state_invalid');
  const other = await startLab({ ...env(), ...lab.secrets }, lab.database);
  await expectRefused(callback(query, cookie, other), 401, 'oidc_token_invalid');
  await other.stop();
  await expectRefusals(['authorization code already consumed']);
});

test('refuses a token for another nonce, and an answer that names another issuer or none', async () => {
  const refusedBefore = provider.refusals.length;
  const strange = await returned('ada@oidc.example');
  await expectRefused(callback(strange.query, withChecks(strange, { nonce: 'another' })), 401, 'oidc_token_invalid');
  const [evil, silent] = [await returned('ada@oidc.example'), await returned('ada@oidc.example')];
  await expectRefused(callback(changed(evil.query, { iss: 'https://evil.example' }), evil.cookie), 401, 'oidc_token_invalid');
  const { iss, ...without } = Object.fromEntries(new URLSearchParams(silent.query));
  expect(iss).toBe(provider.url);
  await expectRefused(callback(new URLSearchParams(without).toString(), silent.cookie), 401, 'oidc_token_invalid');
  expect(provider.refusals).toHaveLength(refusedBefore);
});

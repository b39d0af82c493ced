import { type IssuedToken, startOidcIssuer, type TestOidcIssuer } from '@sluice/testkit';
import { password, startLab } from '../../test-support/lab';
import { cookiesOf, pairsOf as pairs, refreshed as refreshedIn } from '../../test-support/sign-in-cookies';

let issuer: TestOidcIssuer;
let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => {
  issuer = await startOidcIssuer();
  lab = await startLab({
    SLUICE_ALLOW_PRIVATE_TARGETS: 'on',
    SLUICE_OIDC_ISSUER: issuer.url, SLUICE_OIDC_CLIENT_ID: issuer.clientId, SLUICE_OIDC_CLIENT_SECRET: issuer.clientSecret,
    SLUICE_TRUST_PROXY: '1',
  });
});
beforeEach(() => issuer.issue({}));
afterAll(async () => {
  await lab.stop();
  await issuer.stop();
});

const error = (code: string) => ({ detail: { error: code } });
let networks = 0;
/** A browser with a network of its own, so that failures of one test slow no other down. */
function browser() {
  networks += 1;
  const from = `203.0.${networks}.7`;
  const get = (path: string) => lab.api().get(path).set('x-forwarded-for', from);
  const start = async () => {
    const answer = await get('/api/auth/oidc/start').expect(302);
    return { query: issuer.signIn(answer.headers['location']!), cookie: pairs(answer), answer };
  };
  const callback = (query: string, cookie = '') => get(`/api/auth/oidc/callback?${query}`).set('cookie', cookie);
  const signIn = async (token: IssuedToken) => {
    const { query, cookie } = await start();
    issuer.issue(token);
    return callback(query, cookie);
  };
  return { start, callback, signIn };
}
const as = (email: string, more: object = {}): IssuedToken =>
  ({ claims: { sub: `sub of ${email}`, email, email_verified: true, name: 'Ada', ...more } });
const refreshed = (answer: { headers: Record<string, unknown> }) => refreshedIn(lab, answer);
const userOf = async (answer: { headers: Record<string, unknown> }) =>
  (await (await refreshed(answer)).get('/api/me').expect(200)).body;

describe('start', () => {
  test('sends the browser to the issuer, and binds the sign-in to it', async () => {
    const { answer } = await browser().start();
    const { origin, searchParams } = new URL(answer.headers['location']!);
    expect(origin).toBe(issuer.url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code', scope: 'openid email profile', code_challenge_method: 'S256', state: expect.any(String),
      nonce: expect.any(String), redirect_uri: 'http://sluice.test/api/auth/oidc/callback',
    });
    const cookie = /^sluice_oidc=.+; Max-Age=600; Path=\/api\/auth\/oidc; .*HttpOnly; SameSite=Lax$/;
    expect(cookiesOf(answer)).toEqual([expect.stringMatching(cookie)]);
  });

  test('and callback are not there without an issuer', async () => {
    const plain = await startLab();
    for (const path of ['start', 'callback', 'callback?code=x&state=y'])
      expect((await plain.api().get(`/api/auth/oidc/${path}`).expect(404)).body).toEqual(error('oidc_not_configured'));
    await plain.stop();
  });
});

describe('callback', () => {
  test('makes an account with an organization on the trial, and signs in without a token in the address', async () => {
    const answer = await browser().signIn(as('new@oidc-company.example'));
    expect([answer.status, answer.headers['location']]).toEqual([302, 'http://sluice.test/']);
    expect(pairs(answer)).toMatch(/sluice_refresh=.+sluice_csrf=.+/);
    const me = await userOf(answer);
    expect(me).toMatchObject({
      user: { email: 'new@oidc-company.example', name: 'Ada', email_verified: true, mfa_enabled: false },
      organization: { role: 'owner', tier: 'trial' },
    });
    const sameSubject = { sub: 'sub of new@oidc-company.example' };
    const again = await userOf(await browser().signIn(as('other@oidc-company.example', sameSubject)));
    expect(again.user).toEqual(me.user);
    const colleague = await userOf(await browser().signIn(as('two@oidc-company.example')));
    expect(colleague.organization.tier).toBe('free');
  });

  test('links a verified account of the address, whose password stays good', async () => {
    const owner = await lab.owner();
    const { user } = await userOf(await browser().signIn(as(owner.email.toUpperCase())));
    expect(user).toMatchObject({ id: owner.userId, email: owner.email });
    await lab.api().post('/api/auth/login').send({ email: owner.email, password }).expect(200);
  });

  test('takes the address from an unverified account, which is signed out', async () => {
    const squatter = await lab.signUp('squatted@oidc.example');
    const { user } = await userOf(await browser().signIn(as(squatter.email)));
    expect(user.id).not.toBe(squatter.userId);
    await squatter.get('/api/me').expect(401);
    await lab.api().post('/api/auth/login').send({ email: squatter.email, password }).expect(401);
  });

  test('refuses what was begun elsewhere, finished before, or not begun at all; no cookie is set', async () => {
    const [mine, other] = [browser(), browser()];
    const [one, two] = [await mine.start(), await other.start()];
    issuer.issue(as('ada@oidc.example'));
    const refused = [
      mine.callback(one.query), mine.callback(one.query, two.cookie), mine.callback('code=x', one.cookie),
      mine.callback(one.query.replace(/state=.*/, 'state=guessed'), one.cookie), mine.callback(one.query, 'sluice_oidc=forged'),
    ];
    for (const call of refused) {
      const answer = await call;
      expect([answer.status, answer.body, cookiesOf(answer)]).toEqual([400, error('oidc_state_invalid'), []]);
    }
    await mine.callback(one.query, one.cookie).expect(302);
    expect((await mine.callback(one.query, one.cookie).expect(400)).body).toEqual(error('oidc_state_invalid'));
    const late = await mine.start();
    lab.kv.now += 600_001;
    expect((await mine.callback(late.query, late.cookie).expect(400)).body).toEqual(error('oidc_state_invalid'));
  });

  test('refuses a token that is not good, and an address that the issuer does not vouch for', async () => {
    const refusals: [IssuedToken, number, string][] = [
      [{ strangeKey: true }, 401, 'oidc_token_invalid'], [{ algorithm: 'none' }, 401, 'oidc_token_invalid'],
      [{ algorithm: 'HS256' }, 401, 'oidc_token_invalid'], [{ claims: { nonce: 'x' } }, 401, 'oidc_token_invalid'],
      [{ claims: { iss: 'https://evil.example' } }, 401, 'oidc_token_invalid'],
      [as('no@oidc.example', { email_verified: false }), 403, 'email_not_verified'],
      [as('no@oidc.example', { email_verified: undefined }), 403, 'email_not_verified'],
      [as('no@oidc.example', { email: undefined }), 403, 'email_not_verified'],
    ];
    for (const [token, status, code] of refusals) {
      const answer = await browser().signIn(token);
      expect([answer.status, answer.body.detail.error, cookiesOf(answer)]).toEqual([status, code, []]);
    }
  });

  test('tells what the issuer has declined, and that it is away', async () => {
    const mine = browser();
    const denied = await mine.start();
    const query = denied.query.replace(/code=[^&]*/, 'error=access_denied');
    expect((await mine.callback(query, denied.cookie).expect(401)).body).toEqual(error('oidc_denied'));
    const gone = await mine.start();
    issuer.setAway(true);
    const answer = await mine.callback(gone.query, gone.cookie).expect(502);
    expect([answer.body, cookiesOf(answer)]).toEqual([error('oidc_unavailable'), []]);
    issuer.setAway(false);
  });

  test('asks for the second factor, with a token that opens nothing else', async () => {
    const owner = await lab.owner();
    await userOf(await browser().signIn(as(owner.email)));
    await lab.pool.query('UPDATE users SET mfa_enabled_at = now() WHERE id = $1', [owner.userId]);
    const answer = await browser().signIn(as(owner.email));
    const location = answer.headers['location']!;
    expect([answer.status, location]).toEqual([302, expect.stringMatching(/^http:\/\/sluice\.test\/#mfa_token=[\w-]{43}$/)]);
    expect(pairs(answer)).not.toMatch(/sluice_refresh|sluice_csrf/);
    const token = location.split('=')[1]!;
    await lab.pool.query(`UPDATE sign_in_challenges SET expires_at = now() - interval '1 s' WHERE user_id = $1`, [owner.userId]);
    const late = await lab.api().post('/api/auth/login/mfa').send({ mfa_token: token, code: '123456' }).expect(401);
    expect(late.body).toEqual(error('google_mfa_expired'));
  });

  test('is closed to accounts that an operator has closed, and slowed down for networks that fail', async () => {
    const owner = await lab.owner();
    await browser().signIn(as(owner.email));
    await lab.operator.patch(`/operator/users/${owner.userId}`, { deactivated: true }).expect(200);
    expect((await (browser()).signIn(as(owner.email))).body).toEqual(error('account_deactivated'));
    const mine = browser();
    for (let count = 0; count < 20; count += 1) await mine.callback('code=x&state=y').expect(400);
    const slowed = await mine.callback('code=x&state=y').expect(429);
    expect([slowed.body, slowed.headers['retry-after']]).toEqual([error('too_many_attempts'), '1']);
  });

  test('is in the audit log: the account that was made, the sign-in, a refused one', async () => {
    const email = 'audited@oidc.example';
    const { user, organization } = await userOf(await browser().signIn(as(email)));
    const answer = await browser().signIn(as(email));
    const owner = await refreshed(answer);
    await lab.operator.patch(`/operator/users/${user.id}`, { deactivated: true }).expect(200);
    await browser().signIn(as(email));
    await lab.operator.patch(`/operator/users/${user.id}`, { deactivated: false }).expect(200);
    const { items } = (await owner.get(`/api/orgs/${organization.id}/audit`).expect(200)).body;
    const told = items.filter(({ actor }: { actor: { type: string } }) => actor.type === 'user').reverse();
    expect(told).toMatchObject([
      { action: 'account.create', actor: { id: user.id, label: email }, target: { type: 'organization', id: organization.id } },
      { action: 'session.create', actor: { id: user.id, label: email }, outcome: 'done' },
      { action: 'session.create', outcome: 'done' },
      { action: 'session.create', outcome: 'refused', reason: 'account_deactivated' },
    ]);
    expect(JSON.stringify(lab.lines)).not.toContain('code=');
  });
});

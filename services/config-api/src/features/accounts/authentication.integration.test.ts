import { password, startLab } from '../../test-support/lab';
import { lab, shareLab } from '../../test-support/shared-lab';
import { callerTests } from './test-support/caller-tests';

shareLab({ SLUICE_SESSION_TTL: '900' });

/** `name=value` of a cookie an answer set. */
const cookie = (answer: { headers: Record<string, unknown> }, name: string): string =>
  (answer.headers['set-cookie'] as string[]).find((line) => line.startsWith(`${name}=`))!.split(';')[0]!;
const attributes = (answer: { headers: Record<string, unknown> }, name: string): string =>
  (answer.headers['set-cookie'] as string[]).find((line) => line.startsWith(`${name}=`))!;

function refresh(from: { headers: Record<string, unknown> }, csrf?: string) {
  const header = csrf ?? cookie(from, 'sluice_csrf').split('=')[1]!;
  return lab
    .api()
    .post('/api/auth/refresh')
    .set('cookie', `${cookie(from, 'sluice_refresh')}; ${cookie(from, 'sluice_csrf')}`)
    .set('x-csrf-token', header);
}

describe('sign-up and login', () => {
  test('sign-up starts on the trial; a mail domain has one that a verified account used up', async () => {
    const tierOf = async (email: string) => {
      const { body } = await lab.api().post('/api/auth/signup').send({ email, password, organization_name: 'X' }).expect(201);
      return (await lab.as(body.access_token).get('/api/me').expect(200)).body.organization.tier;
    };
    expect(await tierOf('a@one.example')).toBe('trial');
    expect(await tierOf('b@one.example')).toBe('trial');
    await lab.operator
      .post('/operator/organizations', { name: 'One', owner_email: 'c@one.example', owner_password: password, tier: 'trial' })
      .expect(201);
    expect(await tierOf('  D@One.example ')).toBe('free');
    expect(await tierOf('a@gmail.com')).toBe('trial');
    expect(await tierOf('b@gmail.com')).toBe('trial');
  });

  test('an operator gives a squatted address to its owner; a verified one stays', async () => {
    const email = 'boss@squatted.example';
    const squatter = (await lab.api().post('/api/auth/signup').send({ email, password, organization_name: 'X' }).expect(201))
      .body;
    const owner = { name: 'Squatted', owner_email: ' Boss@squatted.example ', owner_password: `${password} of the boss` };
    const made = (await lab.operator.post('/operator/organizations', owner).expect(201)).body;
    expect(made.organization_id).not.toBe(squatter.organization_id);
    await lab.as(squatter.access_token).get('/api/me').expect(401);
    await lab.api().post('/api/auth/login').send({ email, password }).expect(401);
    const login = await lab.api().post('/api/auth/login').send({ email, password: owner.owner_password }).expect(200);
    expect((await lab.as(login.body.access_token).get('/api/me').expect(200)).body.organization.id).toBe(made.organization_id);
    await lab.operator.get(`/operator/organizations/${squatter.organization_id}`).expect(200);
    await lab.operator.post('/operator/organizations', owner).expect(409);
  });

  test('the cookies have the documented attributes', async () => {
    const { email } = await lab.owner();
    const answer = await lab.api().post('/api/auth/login').send({ email: ` ${email.toUpperCase()} `, password }).expect(200);
    expect(answer.body).toMatchObject({ expires_in: 900, token_type: 'bearer' });
    expect(attributes(answer, 'sluice_refresh')).toMatch(/Path=\/api\/auth;.*HttpOnly;.*SameSite=Lax/);
    expect(attributes(answer, 'sluice_csrf')).not.toMatch(/HttpOnly/);
  });

  test('refuses an invalid body, with all problems', async () => {
    const short = await lab
      .api()
      .post('/api/auth/signup')
      .send({ email: 'c@two.example', password: 'short', organization_name: 'X' });
    expect([short.status, short.body]).toEqual([400, { detail: { error: 'password_too_short' } }]);
    const wrong = await lab
      .api()
      .post('/api/auth/signup')
      .send({ email: 'nobody', password: 'x'.repeat(129), organization_name: '  ', more: 1 })
      .expect(422);
    expect(wrong.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')).sort()).toEqual([
      'body.email',
      'body.more',
      'body.organization_name',
      'body.password',
    ]);
    expect(JSON.stringify(wrong.body)).not.toContain('xxxx');
    const { email } = await lab.owner();
    expect(
      (await lab.api().post('/api/auth/signup').send({ email, password, organization_name: 'X' }).expect(409)).body.detail.error,
    ).toBe('email_already_registered');
    for (const body of [{ email, password: 'not the password' }, { email: 'unknown@two.example', password }]) {
      expect((await lab.api().post('/api/auth/login').send(body).expect(401)).body).toEqual({ detail: 'Invalid credentials' });
    }
  });

  test('ten sign-ups per address and hour', async () => {
    const small = await startLab();
    try {
      const signUp = (n: number) =>
        small
          .api()
          .post('/api/auth/signup')
          .send({ email: `u${n}@three.example`, password, organization_name: 'X' });
      for (let n = 0; n < 10; n += 1) await signUp(n).expect(201);
      const refused = await signUp(10).expect(429);
      expect(refused.headers['retry-after']).toBe('3600');
    } finally {
      await small.stop();
    }
  });
});

describe('refresh', () => {
  test('rotates, and the old access token lives on', async () => {
    const { email, get, organizationId } = await lab.owner();
    const login = await lab.api().post('/api/auth/login').send({ email, password });
    const first = await refresh(login).expect(200);
    expect(first.body).toMatchObject({ expires_in: 900, active_org_id: organizationId });
    await lab.as(first.body.access_token).get('/api/me').expect(200);
    await get('/api/me').expect(200);
    await refresh(first).expect(200);
  });

  test('a used token ends all sessions of the user', async () => {
    const owner = await lab.owner();
    const login = await lab.api().post('/api/auth/login').send({ email: owner.email, password });
    const first = await refresh(login).expect(200);
    expect((await refresh(login).expect(401)).body).toEqual({ detail: 'Token reuse detected' });
    expect((await refresh(first).expect(401)).body).toEqual({ detail: 'Invalid refresh token' });
    await owner.get('/api/me').expect(401);
    await lab.as(first.body.access_token).get('/api/me').expect(401);
  });

  test('two concurrent refreshes get the same token; using the earlier token afterwards counts as reuse', async () => {
    const owner = await lab.owner();
    const login = await lab.api().post('/api/auth/login').send({ email: owner.email, password });
    const tabs = await Promise.all(Array.from({ length: 4 }, () => refresh(login)));
    expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(tabs.map((tab) => cookie(tab, 'sluice_refresh'))).size).toBe(1);
    expect(cookie(tabs[0]!, 'sluice_refresh')).not.toBe(cookie(login, 'sluice_refresh'));
    await refresh(tabs[3]!).expect(200);
    await lab.as(tabs[1]!.body.access_token).get('/api/me').expect(200);
    expect((await refresh(login).expect(401)).body).toEqual({ detail: 'Token reuse detected' });
    await lab.as(tabs[1]!.body.access_token).get('/api/me').expect(401);
    const again = (await lab.api().post('/api/auth/login').send({ email: owner.email, password }).expect(200)).body;
    const { items } = (
      await lab.as(again.access_token).get(`/api/orgs/${owner.organizationId}/audit?action=session.refresh`).expect(200)
    ).body;
    expect(items).toMatchObject([
      { actor: { type: 'user', id: owner.userId }, outcome: 'refused', reason: 'Token reuse detected' },
    ]);
  });

  test('needs cookie and header', async () => {
    const { email } = await lab.owner();
    const login = await lab.api().post('/api/auth/login').send({ email, password });
    expect((await lab.api().post('/api/auth/refresh').expect(401)).body).toEqual({ detail: 'No refresh token' });
    expect((await refresh(login, 'another').expect(403)).body).toEqual({ detail: 'CSRF validation failed' });
    const made = await lab
      .api()
      .post('/api/auth/refresh')
      .set('cookie', 'sluice_refresh=made-up; sluice_csrf=x')
      .set('x-csrf-token', 'x')
      .expect(401);
    expect(made.body).toEqual({ detail: 'Invalid refresh token' });
  });

  test('logout ends the session', async () => {
    const { email } = await lab.owner();
    const login = await lab.api().post('/api/auth/login').send({ email, password });
    const csrf = cookie(login, 'sluice_csrf').split('=')[1]!;
    await lab
      .api()
      .post('/api/auth/logout')
      .set('cookie', `${cookie(login, 'sluice_refresh')}; ${cookie(login, 'sluice_csrf')}`)
      .set('x-csrf-token', csrf)
      .expect(204);
    expect((await refresh(login).expect(401)).body).toEqual({ detail: 'Invalid refresh token' });
    await lab.as(login.body.access_token).get('/api/me').expect(401);
  });

  test('logout by the session token alone ends its session; by a cookie alone it needs the CSRF token', async () => {
    const { email } = await lab.owner();
    const login = await lab.api().post('/api/auth/login').send({ email, password });
    const other = await lab.api().post('/api/auth/login').send({ email, password });
    const cookies = `${cookie(login, 'sluice_refresh')}; ${cookie(login, 'sluice_csrf')}`;
    expect((await lab.api().post('/api/auth/logout').set('cookie', cookies).expect(403)).body).toEqual({
      detail: 'CSRF validation failed',
    });
    await lab.as(login.body.access_token).post('/api/auth/logout').set('cookie', cookies).expect(204);
    await lab.as(login.body.access_token).get('/api/me').expect(401);
    expect((await refresh(login).expect(401)).body).toEqual({ detail: 'Invalid refresh token' });
    await lab.as(other.body.access_token).get('/api/me').expect(200);
  });
});

callerTests();

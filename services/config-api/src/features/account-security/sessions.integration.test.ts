import { hkdfSync } from 'node:crypto';
import { keyringEntries } from '@sluice/service-kit';
import { sign } from 'jsonwebtoken';
import { createSessionTokens } from '../../auth/session-token';
import { password, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab({ SLUICE_TRUST_PROXY: '1' }); });
afterAll(() => lab.stop());

const error = (code: string) => ({ detail: { error: code } });
const keys = () => lab.secrets.SLUICE_ENCRYPTION_KEYS;
const logIn = (email: string, from = '203.0.113.7') => lab.api().post('/api/auth/login').set('x-forwarded-for', from)
  .set('user-agent', 'Firefox on Linux').send({ email, password });
const cookiesOf = ({ headers }: { headers: Record<string, unknown> }): Record<string, string> => Object.fromEntries(
  (headers['set-cookie'] as unknown as string[]).map((line) => line.split(';')[0]!.split('=') as [string, string]),
);
const refresh = (answer: { headers: Record<string, unknown> }, csrf = cookiesOf(answer)['sluice_csrf']!) =>
  lab.api().post('/api/auth/refresh').set('x-csrf-token', csrf)
    .set('cookie', `sluice_refresh=${cookiesOf(answer)['sluice_refresh']}; sluice_csrf=${csrf}`);

describe('the list of sessions', () => {
  test('names where and with what each was opened, and which is the present one', async () => {
    const ada = await lab.owner();
    const there = lab.as((await logIn(ada.email).expect(200)).body.access_token);
    const { items, total } = (await there.get('/api/me/sessions').expect(200)).body;
    expect(total).toBe(2);
    expect(items[0]).toEqual({
      id: expect.any(String), created_at: expect.any(String), last_used_at: expect.any(String), ip: '203.0.113.7',
      user_agent: 'Firefox on Linux', current: true,
    });
    expect(items[1]).toMatchObject({ current: false });
    expect((await ada.get('/api/me/sessions?limit=1&offset=1').expect(200)).body).toMatchObject(
      { items: [{ current: true }], total: 2 },
    );
  });

  test('a session that is revoked is refused at once, with its access token and its refresh token', async () => {
    const ada = await lab.owner();
    const other = await logIn(ada.email).expect(200);
    const { items } = (await ada.get('/api/me/sessions').expect(200)).body;
    const { id } = items.find(({ current }: { current: boolean }) => !current);
    await (await lab.owner()).delete(`/api/me/sessions/${id}`).expect(404);
    await ada.delete(`/api/me/sessions/${id}`).expect(204);
    expect((await lab.as(other.body.access_token).get('/api/me').expect(401)).body).toEqual({ detail: 'Invalid token' });
    expect((await refresh(other).expect(401)).body).toEqual({ detail: 'Invalid refresh token' });
    expect((await ada.get('/api/me/sessions').expect(200)).body.total).toBe(1);
    await ada.delete(`/api/me/sessions/${id}`).expect(404);
    await ada.delete('/api/me/sessions/unknown').expect(404);
  });
});

describe('sessions end', () => {
  test('90 days after they began, however often they were refreshed', async () => {
    const { email } = await lab.owner();
    const answer = await logIn(email).expect(200);
    const { rows } = await lab.pool.query(
      `SELECT ends_at - s.created_at AS lifetime FROM sessions s JOIN users u ON u.id = user_id WHERE email = $1`, [email],
    );
    expect(rows.at(-1).lifetime.days).toBe(90);
    const next = await refresh(answer).expect(200);
    await lab.pool.query(
      `UPDATE sessions SET ends_at = now() - interval '1 s' FROM users u WHERE u.id = user_id AND email = $1`, [email],
    );
    expect((await refresh(next).expect(401)).body).toEqual({ detail: 'Invalid refresh token' });
    expect((await lab.as(next.body.access_token).get('/api/me').expect(401)).body).toEqual({ detail: 'Invalid token' });
  });

  test('the CSRF token of one session is none for another', async () => {
    const { email } = await lab.owner();
    const [one, other] = [await logIn(email).expect(200), await logIn(email).expect(200)];
    expect((await refresh(one, cookiesOf(other)['sluice_csrf']).expect(403)).body).toEqual({ detail: 'CSRF validation failed' });
    expect((await refresh(one, 'set by another site').expect(403)).body).toEqual({ detail: 'CSRF validation failed' });
    await refresh(one).expect(200);
  });
});

describe('deletion of the account', () => {
  test('needs the password, and another owner of each organization that stays', async () => {
    const ada = await lab.owner();
    const second = (await ada.post('/api/orgs', { name: 'Second' }).expect(201)).body;
    expect((await ada.delete('/api/me', { password: 'not the password' }).expect(401)).body).toEqual(error('wrong_password'));
    await ada.delete('/api/me').expect(422);
    const { detail } = (await ada.delete('/api/me', { password }).expect(409)).body;
    expect([detail.error, detail.organizations.map(({ id }: { id: string }) => id).sort()]).toEqual([
      'last_owner', [ada.organizationId, second.id].sort(),
    ]);
    await ada.post(`/api/orgs/${ada.organizationId}/close`, { password }).expect(200);
    await lab.pool.query(`UPDATE memberships SET role = 'member' WHERE organization_id = $1`, [second.id]);
    await lab.pool.query(
      `INSERT INTO memberships (organization_id, user_id, role) SELECT $1, id, 'owner' FROM users WHERE email = $2`,
      [second.id, (await lab.owner()).email],
    );
    await ada.delete('/api/me', { password }).expect(204);
    expect((await ada.get('/api/me').expect(401)).body).toEqual({ detail: 'User not found' });
    expect((await logIn(ada.email).expect(401)).body).toEqual({ detail: 'Invalid credentials' });
  });

  test('the address is free again, and the trial that it used stays used', async () => {
    const ada = await lab.signUp('ada@gone.example');
    await lab.api().post('/api/auth/verify-email').send({ token: await lab.tokenTo(ada.email) }).expect(204);
    await ada.post(`/api/orgs/${ada.organizationId}/close`, { password }).expect(200);
    await ada.delete('/api/me', { password }).expect(204);
    const again = await lab.signUp(ada.email);
    expect((await again.get('/api/v1/billing/me').expect(200)).body).toMatchObject({
      tier: 'free', trial_blocked_reason: 'trial_already_used',
    });
  });
});

describe('a closed account', () => {
  test('an operator finds it by its address, closes it and opens it again', async () => {
    const ada = await lab.owner();
    const answer = await logIn(ada.email).expect(200);
    const found = (await lab.operator.get(`/operator/users?email=${ada.email.toUpperCase()}`).expect(200)).body;
    expect(found).toMatchObject({ items: [{ id: ada.userId, email: ada.email, deactivated: false }], total: 1 });
    expect((await lab.operator.get('/operator/users?email=nobody@x.example').expect(200)).body).toEqual({ items: [], total: 0 });
    const set = (deactivated: boolean) => lab.operator.patch(`/operator/users/${ada.userId}`, { deactivated }).expect(200);
    await set(true);
    expect((await logIn(ada.email).expect(401)).body).toEqual(error('account_deactivated'));
    expect((await ada.get('/api/me').expect(401)).body).toEqual(error('account_deactivated'));
    expect((await refresh(answer).expect(401)).body).toEqual(error('account_deactivated'));
    const wrong = await lab.api().post('/api/auth/login').send({ email: ada.email, password: 'not the password' }).expect(401);
    expect(wrong.body).toEqual({ detail: 'Invalid credentials' });
    await set(false);
    await ada.get('/api/me').expect(200);
    await lab.operator.patch('/operator/users/unknown', { deactivated: true }).expect(404);
  });
});

describe('claims of a session token', () => {
  const signed = (claims: object) => {
    const secret = Buffer.from(hkdfSync('sha256', keyringEntries(keys())[0]!.text, 'sluice', 'session tokens v1', 32));
    return lab.as(sign(claims, secret, { algorithm: 'HS256', issuer: 'sluice', expiresIn: 60 }));
  };

  test('must be complete, well formed, and agree with the session', async () => {
    const [ada, eve] = [await lab.owner(), await lab.owner()];
    expect((await signed({ sub: ada.userId }).get('/api/me').expect(401)).body).toEqual(
      { detail: 'Token missing required claims' },
    );
    expect((await signed({ sub: ada.userId, sid: 5, org: null }).get('/api/me').expect(401)).body).toEqual({
      detail: 'Invalid token claims',
    });
    const { items: [{ id: sessionId }] } = (await ada.get('/api/me/sessions').expect(200)).body;
    const { token } = createSessionTokens(keys(), 60_000).issue({ sessionId, userId: eve.userId, organizationId: null });
    expect((await lab.as(token).get('/api/me').expect(401)).body).toEqual({ detail: 'Invalid token claims' });
  });
});

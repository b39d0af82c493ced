import { randomUUID } from 'node:crypto';
import { configRoutes, type RouteContract } from '@sluice/contracts';
import { decode, sign } from 'jsonwebtoken';
import { createSessionTokens } from '../../auth/session-token';
import { operatorToken, password, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab({ SLUICE_SESSION_TTL: '900' }); });
afterAll(() => lab.stop());

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

describe('who may call', () => {
  test('401 says Bearer', async () => {
    for (const header of [undefined, 'Basic abc', 'Bearer']) {
      const call = lab.api().get('/api/me');
      const answer = await (header ? call.set('authorization', header) : call).expect(401);
      expect([answer.body, answer.headers['www-authenticate']]).toEqual([{ detail: 'Not authenticated' }, 'Bearer']);
    }
    for (const token of ['nonsense', 'slo_unknown', sign({ sub: 'x' }, 'other key')]) {
      expect((await lab.as(token).get('/api/me').expect(401)).body).toEqual({ detail: 'Invalid token' });
    }
  });

  test('a token of this installation with wrong claims says so', async () => {
    const [owner, other] = [await lab.owner(), await lab.owner()];
    const { sid } = decode(owner.token) as { sid: string };
    const tokens = createSessionTokens(lab.secrets.SLUICE_ENCRYPTION_KEYS, 900_000);
    const given = { sessionId: sid, userId: owner.userId, organizationId: owner.organizationId };
    const detailFor = async (claims: object) => {
      const { token } = tokens.issue({ ...given, ...claims } as typeof given);
      return (await lab.as(token).get('/api/me').expect(401)).body.detail;
    };
    await lab.as(tokens.issue(given).token).get('/api/me').expect(200);
    for (const claims of [{ sessionId: undefined }, { organizationId: undefined }])
      expect(await detailFor(claims)).toBe('Token missing required claims');
    // The session of somebody else, and claims of another type.
    for (const claims of [{ userId: other.userId }, { sessionId: 7 }, { organizationId: ['x'] }])
      expect(await detailFor(claims)).toBe('Invalid token claims');
    expect(await detailFor({ sessionId: randomUUID(), userId: randomUUID() })).toBe('User not found');
  });

  test('routes of owners refuse members and keys, and change nothing', async () => {
    const owner = await lab.owner();
    const member = await lab.member(owner.organizationId);
    const made = (await owner.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body;
    expect((await member.get('/api/me').expect(200)).body).toMatchObject({
      organization: { id: owner.organizationId, role: 'member' },
    });
    await member.post('/api/connectors', { name: 'of a member' }).expect(201);
    const contracts = Object.values(configRoutes as Record<string, RouteContract>).filter(({ auth }) => auth === 'owner');
    expect(contracts.length).toBeGreaterThanOrEqual(3);
    for (const [caller, isKey] of [[member, false], [lab.as(made.raw_key), true]] as const) {
      for (const { method, path, keyRefusal = 'owner_required' } of contracts) {
        const refused = await caller[method as 'get'](
          path.replace(':key_id', made.id).replace(':organization_id', owner.organizationId),
          method === 'post' ? { label: 'more' } : undefined,
        ).expect(403);
        expect(refused.body).toEqual({ detail: { error: isKey ? keyRefusal : 'owner_required' } });
      }
    }
    expect((await owner.get('/api/org-api-keys').expect(200)).body).toMatchObject({
      total: 1,
      items: [{ id: made.id, is_active: true }],
    });
  });

  test('an owner of another organization is only a member of this one', async () => {
    const [owner, guest] = [await lab.owner(), await lab.owner()];
    const visit = await lab.member(owner.organizationId, guest.userId);
    await visit.get('/api/org-api-keys').expect(403);
    await guest.get('/api/org-api-keys').expect(200);
  });

  test('organization keys: listed without the key, refused once revoked or expired', async () => {
    const owner = await lab.owner();
    const made = (await owner.post('/api/org-api-keys', { label: ' ci ' }).expect(201)).body;
    expect(made).toMatchObject({ label: 'ci', is_active: true, expires_at: null });
    const key = lab.as(made.raw_key);
    expect((await key.get('/api/me').expect(200)).body).toMatchObject({
      user: null,
      organization: { id: owner.organizationId, role: null },
      memberships: [],
    });
    const listed = (await owner.get('/api/org-api-keys').expect(200)).body;
    expect(listed.total).toBe(1);
    expect(JSON.stringify(listed)).not.toContain(made.raw_key);
    await owner.delete(`/api/org-api-keys/${made.id}`).expect(204);
    await key.get('/api/me').expect(401);
    await owner.delete('/api/org-api-keys/not-a-key').expect(404);
    await owner.post('/api/org-api-keys', { label: 'old', expires_at: '2020-01-01T00:00:00Z' }).expect(422);
    const brief = (
      await owner
        .post('/api/org-api-keys', { label: 'brief', expires_at: new Date(Date.now() + 3_600_000).toISOString() })
        .expect(201)
    ).body;
    await lab.pool.query(`UPDATE organization_api_keys SET expires_at = now() - interval '1 s' WHERE id = $1`, [brief.id]);
    await lab.as(brief.raw_key).get('/api/me').expect(401);
  });

  test('a closed organization can be read and no longer changed, a suspended or closing one can', async () => {
    const owner = await lab.owner();
    const state = (name: string) =>
      lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { state: name }).expect(200);
    for (const name of ['suspended', 'closing']) {
      await state(name);
      await owner.post('/api/connectors', { name }).expect(201);
    }
    await state('closed');
    const { items } = (await owner.get('/api/connectors').expect(200)).body;
    const changes = [
      owner.post('/api/connectors', { name: 'late' }),
      owner.delete(`/api/connectors/${items[0].id}`),
      owner.post('/api/org-api-keys', { label: 'late' }),
    ];
    for (const change of changes) expect((await change.expect(409)).body).toEqual({ detail: { error: 'organization_closed' } });
    await state('active');
    await owner.post('/api/connectors', { name: 'again' }).expect(201);
  });

  test('50 requests a second per organization, also while the shared count is away', async () => {
    const limited = await startLab({ SLUICE_RATE_LIMIT_SCALE: '0.1' });
    try {
      const owner = await limited.owner();
      for (let n = 0; n < 5; n += 1) await owner.get('/api/me').expect(200);
      const refused = await owner.get('/api/me').expect(429);
      expect([refused.body, refused.headers['retry-after'], refused.headers['x-ratelimit-limit']]).toEqual([
        { detail: 'Rate limit exceeded for org' },
        '1',
        '5',
      ]);
      limited.kv.down = true;
      await (await limited.owner()).get('/api/me').expect(200);
    } finally {
      await limited.stop();
    }
  });
});

test('the operator has a separate token; without one in the settings `/operator` does not exist', async () => {
  const owner = await lab.owner('pro');
  await owner.get(`/operator/organizations/${owner.organizationId}`).expect(401);
  await lab.api().get('/operator/overview').expect(401);
  for (const token of [
    operatorToken.slice(0, 1),
    operatorToken.slice(0, -1),
    operatorToken.slice(1),
    `${operatorToken}x`,
    operatorToken.toUpperCase(),
  ]) {
    const { body } = await lab.as(token).get(`/operator/organizations/${owner.organizationId}`).expect(401);
    expect(body).toEqual({ detail: 'Invalid token' });
  }
  const patched = (
    await lab.operator
      .patch(`/operator/organizations/${owner.organizationId}`, {
        state: 'suspended',
        limits: { connectors_limit: 7, events_limit: null },
        per_record_ordering: true,
      })
      .expect(200)
  ).body;
  expect(patched).toMatchObject({
    tier: 'pro',
    state: 'suspended',
    limits: { connectors_limit: 7, events_limit: null },
    per_record_ordering: true,
  });
  expect((await lab.operator.get(`/operator/organizations/${owner.organizationId}`).expect(200)).body).toEqual(patched);
  expect((await lab.operator.get('/operator/organizations/nobody').expect(404)).body).toEqual({ detail: 'Not Found' });
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { limits: { other: 1 }, tier: 'gold' }).expect(422);
  const { body: overview } = await lab.operator.get('/operator/overview').expect(200);
  expect(overview).toMatchObject({ held: {}, oldest_unprocessed_seconds: null, breakers: {} });
  expect(
    overview.services.map(({ name, instances }: { name: string; instances: unknown[] }) => [name, instances.length]),
  ).toEqual([
    ['config-api', 1],
    ['flow-runner', 0],
    ['ingest-api', 0],
  ]);
  expect(overview.lag).toContainEqual({ topic: 'events.inbound', group: 'flow-runner', partition: 0, lag: 0 });
  const closed = await startLab({ SLUICE_OPERATOR_TOKEN: '' });
  try {
    await closed.operator.get('/operator/overview').expect(404);
  } finally {
    await closed.stop();
  }
});

import { eventually } from '@sluice/testkit';
import { password, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab({ SLUICE_CLOSE_RECOVERY: '2592000', SLUICE_WORKER_TICK: '0.2' }); });
afterAll(() => lab.stop());

const error = (code: string) => ({ detail: { error: code } });
const anotherOrganization = async (owner: Awaited<ReturnType<typeof lab.owner>>, name = 'Second') =>
  (await owner.post('/api/orgs', { name }).expect(201)).body.id as string;

describe('the organizations of a person', () => {
  test('are listed, oldest first; a new one is his, and does not become the active one', async () => {
    const owner = await lab.owner('pro');
    const made = (await owner.post('/api/orgs', { name: ' Second shop ' }).expect(201)).body;
    expect(made).toEqual(
      { id: expect.any(String), name: 'Second shop', role: 'owner', tier: expect.any(String), state: 'active' },
    );
    const { items, total } = (await owner.get('/api/orgs').expect(200)).body;
    expect([items.map(({ id }: { id: string }) => id), total]).toEqual([[owner.organizationId, made.id], 2]);
    expect((await owner.get('/api/orgs?limit=1&offset=1').expect(200)).body.items).toEqual([made]);
    const me = (await owner.get('/api/me').expect(200)).body;
    expect(me.organization).toMatchObject({ id: owner.organizationId, role: 'owner', tier: 'pro', state: 'active' });
    expect(me.memberships).toEqual([
      { organization_id: owner.organizationId, name: items[0].name, role: 'owner', state: 'active' },
      { organization_id: made.id, name: 'Second shop', role: 'owner', state: 'active' },
    ]);
    await owner.post('/api/orgs', { name: '  ' }).expect(422);
    await owner.post('/api/orgs', { name: 'x', tier: 'enterprise' }).expect(422);
  });

  test('have one trial between them: a second organization starts on free', async () => {
    const ada = await lab.signUp('ada@many.example');
    expect((await ada.get('/api/me').expect(200)).body.organization.tier).toBe('trial');
    expect((await ada.post('/api/orgs', { name: 'More' }).expect(201)).body.tier).toBe('free');
    const bob = await lab.signUp('bob@many.example');
    await lab.api().post('/api/auth/verify-email').send({ token: await lab.tokenTo(bob.email) }).expect(204);
    const colleague = await lab.signUp('eve@many.example');
    const billing = (await colleague.get('/api/v1/billing/me').expect(200)).body;
    expect([billing.tier, billing.trial_blocked_reason]).toEqual(['free', 'trial_already_used']);
  });

  test('cannot be added to by an organization key, which sees its own', async () => {
    const owner = await lab.owner('pro');
    const key = lab.as((await owner.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body.raw_key);
    expect((await key.post('/api/orgs', { name: 'More' }).expect(403)).body).toEqual(error('api_key_cannot_create_org'));
    expect((await key.get('/api/orgs').expect(200)).body).toEqual({
      items: [{ id: owner.organizationId, name: expect.any(String), role: null, tier: 'pro', state: 'active' }], total: 1,
    });
    expect((await key.get(`/api/orgs/${owner.organizationId}`).expect(200)).body).toMatchObject(
      { id: owner.organizationId, role: null },
    );
    await key.get(`/api/orgs/${owner.organizationId}/members`).expect(200);
    await key.get(`/api/orgs/${(await lab.owner()).organizationId}`).expect(404);
  });

  test('at most 20 are created an hour', async () => {
    const owner = await lab.owner();
    for (let count = 0; count < 20; count += 1) await owner.post('/api/orgs', { name: `O ${count}` }).expect(201);
    await owner.post('/api/orgs', { name: 'One more' }).expect(429);
  });
});

describe('one organization', () => {
  test('is read by every member, and changed by owners', async () => {
    const owner = await lab.owner('pro');
    const member = await lab.member(owner.organizationId);
    const path = `/api/orgs/${owner.organizationId}`;
    const { id, created_at, ...rest } = (await owner.get(path).expect(200)).body;
    expect([id, Number.isNaN(Date.parse(created_at)), rest]).toEqual([owner.organizationId, false, {
      name: expect.any(String), tier: 'pro', state: 'active', role: 'owner', publish_review: false, ordering: 'connector',
    }]);
    const changed = (await owner.patch(path, { name: ' New name ', publish_review: true, ordering: 'record' }).expect(200)).body;
    expect(changed).toMatchObject({ name: 'New name', publish_review: true, ordering: 'record', role: 'owner' });
    const facts = (await lab.operator.get(`/operator/organizations/${id}`).expect(200)).body;
    expect(facts).toMatchObject({ name: 'New name', publish_review: true, per_record_ordering: true });
    expect((await member.get(path).expect(200)).body).toMatchObject({ name: 'New name', role: 'member' });
    expect((await member.patch(path, { name: 'Mine' }).expect(403)).body).toEqual(error('owner_required'));
    const wrongOnes = [{ tier: 'pro' }, { state: 'closed' }, { ordering: 'none' }, { name: '' }, { publish_review: 'yes' }];
    for (const wrong of wrongOnes) {
      await owner.patch(path, wrong).expect(422);
    }
    expect((await owner.patch(path, {}).expect(200)).body.name).toBe('New name');
  });

  test('that is not the active one can be read; everything else needs it to be active', async () => {
    const owner = await lab.owner();
    const second = await anotherOrganization(owner);
    const path = `/api/orgs/${second}`;
    expect((await owner.get(path).expect(200)).body).toMatchObject({ id: second, role: 'owner' });
    for (const refused of [
      owner.patch(path, { name: 'x' }), owner.post(`${path}/close`, { password }), owner.post(`${path}/reopen`),
      owner.get(`${path}/members`), owner.get(`${path}/invitations`), owner.get(`${path}/audit`),
      owner.patch(`${path}/members/${owner.userId}`, { role: 'member' }), owner.delete(`${path}/members/${owner.userId}`),
      owner.post(`${path}/invitations`, { email: 'a@b.example', role: 'member' }), owner.delete(`${path}/invitations/x`),
    ]) expect((await refused.expect(403)).body).toEqual(error('wrong_active_org'));
    for (const id of [(await lab.owner()).organizationId, '00000000-0000-4000-8000-000000000000', 'nothing']) {
      expect((await owner.get(`/api/orgs/${id}`).expect(404)).body).toEqual({ detail: 'Not Found' });
      await owner.patch(`/api/orgs/${id}`, { name: 'x' }).expect(404);
      await owner.get(`/api/orgs/${id}/members`).expect(404);
    }
  });

  test('becomes active with a new token, and stays so after a refresh', async () => {
    const owner = await lab.owner();
    const second = await anotherOrganization(owner);
    const login = await lab.api().post('/api/auth/login').send({ email: owner.email, password }).expect(200);
    expect(login.body.active_org_id).toBe(owner.organizationId);
    const here = lab.as(login.body.access_token);
    const switched = (await here.put('/api/me/active-organization', { organization_id: second }).expect(200)).body;
    expect(switched).toMatchObject({ access_token: expect.any(String), expires_in: 900, active_org_id: second });
    expect((await lab.as(switched.access_token).get('/api/me').expect(200)).body.organization.id).toBe(second);
    const cookies = (login.headers['set-cookie'] as unknown as string[]).map((line) => line.split(';')[0]!);
    const csrf = cookies.find((line) => line.startsWith('sluice_csrf='))!.split('=')[1]!;
    const refreshed = await lab.api().post('/api/auth/refresh').set('cookie', cookies.join('; ')).set(
      'x-csrf-token', csrf,
    ).expect(200);
    expect(refreshed.body.active_org_id).toBe(second);
    expect((await owner.get('/api/me').expect(200)).body.organization.id).toBe(owner.organizationId);
    for (const id of [(await lab.owner()).organizationId, '00000000-0000-4000-8000-000000000000', 'nothing']) {
      expect((await here.put('/api/me/active-organization', { organization_id: id }).expect(403)).body).toEqual(error('not_a_member'));
    }
    const key = (await owner.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body.raw_key;
    const refused = await lab.as(key).put('/api/me/active-organization', { organization_id: second }).expect(403);
    expect(refused.body).toEqual(error('user_auth_required'));
  });
});

describe('a person without an organization', () => {
  test('may sign in, see himself and make one; everything else is refused', async () => {
    const [owner, guest] = [await lab.owner(), await lab.owner()];
    await lab.member(guest.organizationId, owner.userId);
    const leaver = await lab.member(owner.organizationId);
    await owner.delete(`/api/orgs/${owner.organizationId}/members/${leaver.userId}`).expect(204);
    const me = (await leaver.get('/api/me').expect(200)).body;
    expect(me).toMatchObject({ user: { id: leaver.userId, email: leaver.email }, organization: null, memberships: [] });
    expect((await leaver.get('/api/orgs').expect(200)).body).toEqual({ items: [], total: 0 });
    expect((await leaver.patch('/api/me', { name: ' Ada ' }).expect(200)).body).toEqual({
      id: leaver.userId, email: leaver.email, name: 'Ada', email_verified: true, mfa_enabled: false,
    });
    for (const refused of [
      leaver.get('/api/connectors'), leaver.post('/api/connectors', { name: 'x' }), leaver.get('/api/v1/billing/me'),
      leaver.get(`/api/orgs/${owner.organizationId}`), leaver.get(`/api/orgs/${owner.organizationId}/members`),
    ]) expect((await refused.expect(403)).body).toEqual(error('no_active_organization'));
    const own = (await leaver.post('/api/orgs', { name: 'Own' }).expect(201)).body;
    await leaver.get('/api/connectors').expect(403);
    const there = (await leaver.put('/api/me/active-organization', { organization_id: own.id }).expect(200)).body;
    await lab.as(there.access_token).get('/api/connectors').expect(200);
  });

  test('who has another one is no member of the first any more, and can go to the other', async () => {
    const [owner, guest] = [await lab.owner(), await lab.owner()];
    const visit = await lab.member(owner.organizationId, guest.userId);
    await owner.delete(`/api/orgs/${owner.organizationId}/members/${guest.userId}`).expect(204);
    expect((await visit.get('/api/connectors').expect(403)).body).toEqual(error('not_a_member'));
    expect((await visit.get('/api/me').expect(200)).body).toMatchObject({ organization: null, memberships: [{ role: 'owner' }] });
    const back = await visit.put('/api/me/active-organization', { organization_id: guest.organizationId }).expect(200);
    await lab.as(back.body.access_token).get('/api/connectors').expect(200);
  });

  test('signs in to none', async () => {
    const owner = await lab.owner();
    const other = await lab.member(owner.organizationId);
    await owner.patch(`/api/orgs/${owner.organizationId}/members/${other.userId}`, { role: 'owner' }).expect(200);
    await other.delete(`/api/orgs/${owner.organizationId}/members/${owner.userId}`).expect(204);
    const login = await lab.api().post('/api/auth/login').send({ email: owner.email, password }).expect(200);
    expect(login.body.active_org_id).toBeNull();
    expect((await lab.as(login.body.access_token).get('/api/me').expect(200)).body.organization).toBeNull();
  });
});

describe('closing an organization', () => {
  const close = (owner: Awaited<ReturnType<typeof lab.owner>>, given = password) =>
    owner.post(`/api/orgs/${owner.organizationId}/close`, { password: given });

  test('needs the password, and begins 30 days in which it can be reopened', async () => {
    const owner = await lab.owner();
    const connector = (await owner.post('/api/connectors', { name: 'Shop', create_api_key: true }).expect(201)).body;
    expect((await close(owner, 'not my password').expect(401)).body).toEqual(error('wrong_password'));
    const closing = (await close(owner).expect(200)).body;
    expect(closing).toMatchObject({ id: owner.organizationId, state: 'closing', role: 'owner' });
    expect(Math.abs(Date.parse(closing.closes_at) - Date.now() - 30 * 86_400_000)).toBeLessThan(60_000);
    expect((await close(owner).expect(409)).body).toEqual(error('org_closing'));
    await eventually(() => lab.change(connector.id)?.organization.state === 'closing');
    expect(lab.change(connector.id)?.keys).toHaveLength(1);
    expect((await owner.get(`/api/orgs/${owner.organizationId}`).expect(200)).body.closes_at).toBe(closing.closes_at);
    await owner.get('/api/connectors').expect(200);
    const reopened = (await owner.post(`/api/orgs/${owner.organizationId}/reopen`).expect(200)).body;
    expect([reopened.state, reopened.closes_at]).toEqual(['active', undefined]);
    const again = await owner.post(`/api/orgs/${owner.organizationId}/reopen`).expect(409);
    expect(again.body).toEqual(error('organization_not_closing'));
    await eventually(() => lab.change(connector.id)?.organization.state === 'active');
  });

  test('is for owners', async () => {
    const owner = await lab.owner();
    const member = await lab.member(owner.organizationId);
    const key = lab.as((await owner.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body.raw_key);
    for (const caller of [member, key]) {
      for (const path of ['close', 'reopen']) {
        const body = path === 'close' ? { password } : undefined;
        const refused = await caller.post(`/api/orgs/${owner.organizationId}/${path}`, body).expect(403);
        expect(refused.body).toEqual(error('owner_required'));
      }
    }
  });

  test('takes and makes no invitations meanwhile', async () => {
    const owner = await lab.owner();
    const path = `/api/orgs/${owner.organizationId}/invitations`;
    await owner.post(path, { email: 'late@closing.example', role: 'member' }).expect(201);
    const token = await lab.tokenTo('late@closing.example');
    await close(owner).expect(200);
    expect((await owner.post(path, { email: 'later@closing.example', role: 'member' }).expect(409)).body).toEqual(error('org_closing'));
    const accept = () => lab.api().post(`/api/invitations/${token}/accept`).send({ name: 'Late', password });
    expect((await accept().expect(409)).body).toEqual(error('org_closing'));
    await owner.post(`/api/orgs/${owner.organizationId}/reopen`).expect(200);
    await accept().expect(200);
  });

  test('ends by itself: then it is closed for good, and its invitations are gone', async () => {
    const short = await startLab({ SLUICE_CLOSE_RECOVERY: '1', SLUICE_WORKER_TICK: '0.1' });
    try {
      const owner = await short.owner();
      const at = `/api/orgs/${owner.organizationId}`;
      await owner.post(`${at}/invitations`, { email: 'late@closed.example', role: 'member' }).expect(201);
      const token = await short.tokenTo('late@closed.example');
      const { id } = (await owner.post('/api/connectors', { name: 'Shop', create_api_key: true }).expect(201)).body;
      await owner.post(`${at}/close`, { password }).expect(200);
      await eventually(() => short.change(id)?.organization.state === 'closed');
      expect((await owner.get('/api/me').expect(200)).body.organization.state).toBe('closed');
      const late = [owner.post(`${at}/reopen`), owner.post('/api/connectors', { name: 'x' }), owner.patch(at, { name: 'x' })];
      for (const refused of late) {
        expect((await refused.expect(409)).body).toEqual(error('organization_closed'));
      }
      const accept = await short.api().post(`/api/invitations/${token}/accept`).send({ name: 'Late', password }).expect(410);
      expect(accept.body).toEqual(error('invitation_revoked'));
      const { items } = (await owner.get(`${at}/audit`).expect(200)).body;
      expect(items.map(({ action }: { action: string }) => action)).toContain('organization.closed');
    } finally {
      await short.stop();
    }
  });

  test('guesses of the password are slowed like sign-ins', async () => {
    const owner = await lab.owner();
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) statuses.push((await close(owner, `guess ${count} of mine`)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    lab.kv.now += 3_600_000;
    await close(owner).expect(200);
  });
});

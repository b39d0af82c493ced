import { password, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab({ SLUICE_INVITATION_TTL: '604800' }); });
afterAll(() => lab.stop());

type Owner = Awaited<ReturnType<typeof lab.owner>>;
const error = (code: string) => ({ detail: { error: code } });
const at = (owner: Pick<Owner, 'organizationId'>, path = '') => `/api/orgs/${owner.organizationId}${path}`;
let addresses = 0;
const anAddress = () => { addresses += 1; return `person${addresses}@members.example`; };
const invite = async (owner: Owner, email = anAddress(), role = 'member') => {
  const { body } = await owner.post(at(owner, '/invitations'), { email, role }).expect(201);
  return { ...(body as { id: string; email: string; role: string; expires_at: string }), token: await lab.tokenTo(body.email) };
};
const accept = (token: string, body: object = { name: 'Ada', password }) => lab.api().post(
  `/api/invitations/${token}/accept`,
).send(body);

describe('members', () => {
  test('are listed to every member, oldest first', async () => {
    const owner = await lab.owner();
    const member = await lab.member(owner.organizationId);
    const { items, total } = (await member.get(at(owner, '/members')).expect(200)).body;
    const row = { name: null, mfa_enabled: false, joined_at: expect.any(String) };
    expect([items, total]).toEqual([[
      { user_id: owner.userId, email: owner.email, role: 'owner', ...row },
      { user_id: member.userId, email: member.email, role: 'member', ...row },
    ], 2]);
    expect((await member.get(at(owner, '/members?limit=1&offset=1')).expect(200)).body.items).toHaveLength(1);
  });

  test('get another role from their next request on; the last owner stays one', async () => {
    const owner = await lab.owner();
    const member = await lab.member(owner.organizationId);
    const role = (caller: { patch: Owner['patch'] }, userId: string, wanted: string) =>
      caller.patch(at(owner, `/members/${userId}`), { role: wanted });
    await member.get('/api/org-api-keys').expect(403);
    expect((await role(member, member.userId, 'owner').expect(403)).body).toEqual(error('owner_required'));
    expect((await role(owner, owner.userId, 'member').expect(409)).body).toEqual(error('last_owner'));
    expect((await role(owner, member.userId, 'owner').expect(200)).body).toMatchObject({ user_id: member.userId, role: 'owner' });
    await member.get('/api/org-api-keys').expect(200);
    await role(member, owner.userId, 'member').expect(200);
    await owner.get('/api/org-api-keys').expect(403);
    await role(member, 'nobody', 'owner').expect(404);
    await role(member, owner.userId, 'admin').expect(422);
  });

  test('leave or are removed at once, and keys that they made stay', async () => {
    const owner = await lab.owner();
    const [second, member] = [await lab.member(owner.organizationId), await lab.member(owner.organizationId)];
    await owner.patch(at(owner, `/members/${second.userId}`), { role: 'owner' }).expect(200);
    const key = lab.as((await second.post('/api/org-api-keys', { label: 'of the second' }).expect(201)).body.raw_key);
    expect((await member.delete(at(owner, `/members/${owner.userId}`)).expect(403)).body).toEqual(error('owner_required'));
    await member.delete(at(owner, '/members/nobody')).expect(404);
    await member.delete(at(owner, `/members/${member.userId}`)).expect(204);
    expect((await member.get('/api/connectors').expect(403)).body).toEqual(error('no_active_organization'));
    await owner.delete(at(owner, `/members/${second.userId}`)).expect(204);
    await second.post('/api/connectors', { name: 'x' }).expect(403);
    await key.post('/api/connectors', { name: 'by key' }).expect(201);
    expect((await owner.delete(at(owner, `/members/${owner.userId}`)).expect(409)).body).toEqual(error('last_owner'));
    expect((await key.delete(at(owner, `/members/${owner.userId}`)).expect(403)).body).toEqual(error('owner_required'));
    await owner.delete(at(owner, `/members/${second.userId}`)).expect(404);
  });
});

describe('inviting', () => {
  test('sends the token by mail only; the list shows open invitations', async () => {
    const owner = await lab.owner();
    const made = await invite(owner, ' Carol@Members.example ');
    expect(made).toMatchObject({ email: 'carol@members.example', role: 'member' });
    expect(Math.abs(Date.parse(made.expires_at) - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000);
    const { items, total } = (await owner.get(at(owner, '/invitations')).expect(200)).body;
    const { token, ...shown } = made;
    const row = { ...shown, created_at: expect.any(String), invited_by: { id: owner.userId, email: owner.email } };
    expect([items, total]).toEqual([[row], 1]);
    expect(token).toMatch(/^[\w-]{43}$/);
    const { rows } = await lab.pool.query(
      'SELECT i.*, m.sealed, m.kind FROM invitations i JOIN mails m ON m.recipient = i.email WHERE i.id = $1', [made.id],
    );
    expect([rows.length, rows[0].kind]).toEqual([1, 'invitation']);
    expect(JSON.stringify(rows)).not.toContain(token);
    await owner.delete(at(owner, `/invitations/${made.id}`)).expect(204);
    await owner.delete(at(owner, `/invitations/${made.id}`)).expect(404);
    expect((await owner.get(at(owner, '/invitations')).expect(200)).body).toEqual({ items: [], total: 0 });
  });

  test('the mail names organization and inviter, and its link begins with the public address', async () => {
    const owner = await lab.owner();
    const email = anAddress();
    await owner.patch(at(owner), { name: 'Verify at https://evil.example/now\n<b>' }).expect(200);
    await owner.post(at(owner, '/invitations'), { email, role: 'owner' })
      .set('host', 'evil.example').set('x-forwarded-host', 'evil.example').expect(201);
    const { items } = (await lab.operator.get(`/operator/outbox?to=${email}`).expect(200)).body;
    expect(items[0]).toMatchObject({ to: email, subject: 'Join Verify at https evil example now b on Sluice' });
    expect(items[0].links[0]).toMatch(/^http:\/\/sluice\.test\/invitations\?token=[\w-]{43}$/);
    expect(items[0].text).toContain(`${owner.email} invites you`);
    expect(items[0].text.match(/https?:\/\//g)).toHaveLength(1);
  });

  test('again replaces the invitation; a member is refused; only owners invite', async () => {
    const owner = await lab.owner();
    const member = await lab.member(owner.organizationId);
    const first = await invite(owner);
    const second = await invite(owner, ` ${first.email.toUpperCase()} `, 'owner');
    expect((await owner.get(at(owner, '/invitations')).expect(200)).body).toMatchObject({ total: 1, items: [{ role: 'owner' }] });
    expect((await accept(first.token).expect(410)).body).toEqual(error('invitation_revoked'));
    for (const email of [member.email, owner.email.toUpperCase()]) {
      expect((await owner.post(at(owner, '/invitations'), { email, role: 'member' }).expect(409)).body).toEqual(error('already_member'));
    }
    const refused = await member.post(at(owner, '/invitations'), { email: anAddress(), role: 'member' }).expect(403);
    expect(refused.body).toEqual(error('owner_required'));
    expect((await accept(second.token).expect(200)).body.role).toBe('owner');
  });

  test('sends at most five mails an hour to one address; the last token that arrived stays good', async () => {
    const [owner, other] = [await lab.owner(), await lab.owner()];
    const email = anAddress();
    for (let count = 0; count < 5; count += 1) await invite(owner, email);
    const token = await lab.tokenTo(email);
    await owner.post(at(owner, '/invitations'), { email, role: 'member' }).expect(201);
    await other.post(at(other, '/invitations'), { email, role: 'member' }).expect(201);
    expect(await lab.linksTo(email)).toHaveLength(5);
    await accept(token).expect(200);
  });

  test('needs a verified address', async () => {
    const ada = await lab.signUp('ada@unverified.example');
    const refused = await ada.post(at(ada, '/invitations'), { email: anAddress(), role: 'member' }).expect(403);
    const resend_url = 'http://sluice.test/api/auth/resend-verification';
    expect(refused.body).toEqual({ detail: { error: 'email_not_verified', resend_url } });
    await lab.api().post('/api/auth/verify-email').send({ token: await lab.tokenTo(ada.email) }).expect(204);
    await ada.post(at(ada, '/invitations'), { email: anAddress(), role: 'member' }).expect(201);
  });
});

describe('accepting', () => {
  test('makes a verified account, a member that is signed in', async () => {
    const owner = await lab.owner();
    const { token, email } = await invite(owner);
    const missing = (await accept(token, {}).expect(422)).body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'));
    expect(missing).toEqual(['body.password', 'body.name']);
    expect((await accept(token, { name: 'Ada', password: 'short' }).expect(400)).body).toEqual(error('password_too_short'));
    expect((await accept(token, { name: 'Ada', password: 'password123' }).expect(400)).body).toEqual(
      error('password_too_common'),
    );
    const answer = await accept(token, { name: ' Ada ', password }).expect(200);
    expect(answer.body).toMatchObject({
      organization_id: owner.organizationId, role: 'member', user_id: expect.any(String), active_org_id: owner.organizationId,
      expires_in: 900, token_type: 'bearer',
    });
    const cookies = answer.headers['set-cookie'] as unknown as string[];
    expect(cookies.map((line) => line.split('=')[0]).sort()).toEqual(['sluice_csrf', 'sluice_refresh']);
    const me = (await lab.as(answer.body.access_token).get('/api/me').expect(200)).body;
    expect(me.user).toMatchObject({ email, name: 'Ada', email_verified: true });
    expect((await accept(token).expect(410)).body).toEqual(error('invitation_accepted'));
    await lab.api().post('/api/auth/login').send({ email, password }).expect(200);
  });

  test('by an account needs its session, and never changes its password', async () => {
    const [owner, guest, stranger] = [await lab.owner(), await lab.owner(), await lab.owner()];
    const { token } = await invite(owner, guest.email);
    const path = `/api/invitations/${token}/accept`;
    const unknown = await accept(token, { name: 'Me', password: 'another password' }).expect(401);
    expect([unknown.body, unknown.headers['www-authenticate']]).toEqual([{ detail: 'Not authenticated' }, 'Bearer']);
    expect((await lab.as('made-up').post(path).expect(401)).body).toEqual({ detail: 'Invalid token' });
    expect((await stranger.post(path).expect(403)).body).toEqual(error('invitation_for_other_account'));
    const key = lab.as((await guest.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body.raw_key);
    await key.post(path).expect(401);
    const { body } = await guest.post(path, { password: 'another password' }).expect(200);
    expect(body).toEqual({ organization_id: owner.organizationId, user_id: guest.userId, role: 'member' });
    await lab.api().post('/api/auth/login').send({ email: guest.email, password }).expect(200);
    expect((await guest.get('/api/me').expect(200)).body).toMatchObject({
      organization: { id: guest.organizationId },
      memberships: [{ organization_id: guest.organizationId, role: 'owner' }, { organization_id: owner.organizationId, role: 'member' }],
    });
  });

  test('with an unknown, revoked or expired token is refused', async () => {
    const owner = await lab.owner();
    expect((await accept('unknown').expect(404)).body).toEqual(error('invitation_not_found'));
    const revoked = await invite(owner);
    await owner.delete(at(owner, `/invitations/${revoked.id}`)).expect(204);
    expect((await accept(revoked.token).expect(410)).body).toEqual(error('invitation_revoked'));
    const expired = await invite(owner);
    await lab.pool.query(`UPDATE invitations SET expires_at = now() - interval '1 s' WHERE id = $1`, [expired.id]);
    expect((await accept(expired.token).expect(410)).body).toEqual(error('invitation_expired'));
    expect((await lab.api().get(`/api/invitations/${expired.token}/accept`)).status).toBe(405);
  });

  test('an invitation ends with the right of its inviter', async () => {
    const owner = await lab.owner();
    const second = await lab.member(owner.organizationId);
    await owner.patch(at(owner, `/members/${second.userId}`), { role: 'owner' }).expect(200);
    const email = anAddress();
    await second.post(at(owner, '/invitations'), { email, role: 'owner' }).expect(201);
    const token = await lab.tokenTo(email);
    await owner.patch(at(owner, `/members/${second.userId}`), { role: 'member' }).expect(200);
    expect((await accept(token).expect(410)).body).toEqual(error('invitation_revoked'));
  });

  test('takes a seat, which the plan must still have; a refusal leaves the invitation open', async () => {
    const owner = await lab.owner('starter');
    const invited = [];
    for (let count = 0; count < 4; count += 1) invited.push(await invite(owner));
    const billing = (await owner.get('/api/v1/billing/me').expect(200)).body;
    expect([billing.seats_used, billing.seats_limit]).toEqual([5, 5]);
    const full = (await owner.post(at(owner, '/invitations'), { email: anAddress(), role: 'member' }).expect(402)).body;
    expect(full.detail).toEqual({
      error: 'seat_limit_reached', tier: 'starter', limit: 5, usage: 5, message: expect.any(String),
      upgrade_url: 'http://sluice.test/billing',
    });
    await owner.delete(at(owner, `/invitations/${invited[3]!.id}`)).expect(204);
    await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { tier: 'free' }).expect(200);
    const refused = (await accept(invited[0]!.token).expect(402)).body;
    expect(refused.detail).toMatchObject({ error: 'seat_limit_reached', tier: 'free', limit: 1, usage: 3 });
    await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { tier: 'starter' }).expect(200);
    await accept(invited[0]!.token).expect(200);
    expect((await owner.get('/api/v1/billing/me').expect(200)).body.seats_used).toBe(4);
  });

  test('the token is in no log line', async () => {
    const owner = await lab.owner();
    const { token } = await invite(owner);
    await accept(token).expect(200);
    expect(JSON.stringify(lab.lines)).not.toContain(token);
    expect(lab.lines.filter(({ fields }) => fields?.['path'] === '/api/invitations/:token/accept').length).toBeGreaterThan(0);
  });
});

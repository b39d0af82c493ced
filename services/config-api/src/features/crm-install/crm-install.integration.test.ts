import { randomUUID } from 'node:crypto';
import { type Caller, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const error = (code: string) => ({ detail: { error: code } });
const callback = (query: string) => lab.api().get(`/api/v1/auth/crm/callback?${query}`);
let portals = 9_200_000;

/** A portal of its own with an app installed in it: its id and the install token. */
async function install(portalId = 0, scopes?: readonly string[]): Promise<{ portalId: number; token: string }> {
  portals += 1;
  const id = portalId || portals;
  const { settings } = lab.simulator.state.portals.get(1_000_001)!;
  if (!lab.simulator.state.portals.has(id))
    lab.simulator.state.addPortal(id, { ...settings, ...(scopes && { scopes: [...scopes] }) });
  const { headers } = await callback(`code=sim-code-${id}-${randomUUID()}&state=x`).expect(302);
  return { portalId: id, token: new URL(headers['location']!).searchParams.get('token')! };
}
const attach = (who: Pick<Caller, 'post'>, token: string, body: object = { name: 'portal' }) =>
  who.post(`/api/v1/auth/crm/install/${token}/attach`, body);

describe('the callback', () => {
  test('exchanges the code, and sends the person to the product with a token, whatever the host of the request', async () => {
    const answer = await callback(`code=sim-code-1000001-${randomUUID()}`).set('host', 'evil.example').expect(302);
    expect(answer.headers).toMatchObject({
      location: expect.stringMatching(/^http:\/\/sluice\.test\/\?token=[\w-]{43}$/), 'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    const calls = await (await fetch(`${lab.crmUrl}/_sim/calls?path=/oauth/v1/token`)).json();
    const { items } = calls as { items: { request: string }[] };
    expect(new URLSearchParams(items.at(-1)!.request).get('redirect_uri')).toBe('http://sluice.test/api/v1/auth/crm/callback');
  });

  test('refuses a code that the CRM refuses, one that was used, and an install that was declined', async () => {
    const code = `sim-code-1000001-${randomUUID()}`;
    await callback(`code=${code}`).expect(302);
    for (const query of [`code=${code}`, 'code=nothing', 'error=access_denied', `error=access_denied&code=${code}x`])
      expect((await callback(query).expect(400)).body).toEqual(error('crm_install_failed'));
    for (const query of ['', 'state=x', 'code='])
      expect((await callback(query).expect(422)).body.detail).toMatchObject([{ type: 'missing', loc: ['query', 'code'] }]);
  });

  test('answers 502 while the CRM is down', async () => {
    const fault = { path: '/oauth/v1/token', status: 503 };
    const headers = { 'content-type': 'application/json' };
    await fetch(`${lab.crmUrl}/_sim/faults`, { method: 'POST', headers, body: JSON.stringify(fault) });
    expect((await callback('code=sim-code-1000001-down').expect(502)).body).toEqual(error('crm_unavailable'));
    await fetch(`${lab.crmUrl}/_sim/faults`, { method: 'DELETE' });
    await callback('code=sim-code-1000001-down').expect(302);
  });

  test('the authorize page of the simulator leads there', async () => {
    const redirect = 'http://sluice.test/api/v1/auth/crm/callback';
    const asked = `client_id=app&redirect_uri=${encodeURIComponent(redirect)}&scope=oauth&state=%3Cx%3E`;
    const page = await fetch(`${lab.crmUrl}/oauth/authorize?${asked}`);
    const html = await page.text();
    expect([page.status, html]).toEqual([200, expect.stringContaining('portal 1000001')]);
    expect(html).not.toContain('<x>');
    const chosen = await fetch(`${lab.crmUrl}/oauth/authorize?${asked}&portal_id=1000001`, { redirect: 'manual' });
    const { search, searchParams } = new URL(chosen.headers.get('location')!);
    expect([chosen.status, searchParams.get('state')]).toEqual([302, '<x>']);
    await callback(search.slice(1)).expect(302);
    expect((await fetch(`${lab.crmUrl}/oauth/authorize?client_id=app&redirect_uri=nowhere`)).status).toBe(400);
  });
});

describe('attach', () => {
  test('makes a credential with what was granted, and keeps the refresh token', async () => {
    const owner = await lab.owner();
    const { portalId, token } = await install();
    const made = (await attach(owner, token, { name: ' Portal ' }).expect(201)).body;
    expect(made).toEqual({
      id: expect.any(String), name: 'Portal', credential_type: 'crm_oauth', portal_id: String(portalId),
      scopes: expect.arrayContaining(['oauth']), allowed_hosts: null, created_at: expect.any(String),
      updated_at: expect.any(String), connector_id: null,
    });
    const { connector_id: _, ...listed } = made;
    expect((await owner.get(`/api/credentials/${made.id}`).expect(200)).body).toEqual(listed);
    const { rows } = await lab.pool.query('SELECT sealed FROM credentials WHERE id = $1', [made.id]);
    expect(JSON.parse(lab.keyring.decrypt(rows[0].sealed, `credential:${made.id}`))).toMatchObject(
      { refresh_token: `sim-refresh-${portalId}` },
    );
    expect((await attach(owner, token).expect(410)).body).toEqual(error('install_consumed'));
    expect((await lab.pool.query('SELECT sealed FROM crm_installs WHERE portal_id = $1', [String(portalId)])).rows).toEqual(
      [{ sealed: null }],
    );
  });

  test('needs a good token and a name', async () => {
    const owner = await lab.owner();
    expect((await attach(owner, 'unknown').expect(404)).body).toEqual(error('install_not_found'));
    const { portalId, token } = await install();
    expect((await attach(owner, token, {}).expect(422)).body.detail).toMatchObject([{ loc: ['body', 'name'] }]);
    await lab.pool.query(`UPDATE crm_installs SET expires_at = now() - interval '1 s' WHERE portal_id = $1`, [String(portalId)]);
    expect((await attach(owner, token).expect(410)).body).toEqual(error('install_expired'));
  });

  test('needs a session; any member may', async () => {
    const owner = await lab.owner();
    const key = lab.as((await owner.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body.raw_key);
    const { token } = await install();
    expect((await attach(key, token).expect(403)).body).toEqual(error('user_session_required'));
    await lab.api().post(`/api/v1/auth/crm/install/${token}/attach`).send({ name: 'x' }).expect(401);
    await attach(await lab.member(owner.organizationId), token).expect(201);
  });

  test('a refusal leaves the install good: the plan is full, the connector unknown, a rebind not confirmed', async () => {
    const owner = await lab.owner('free');
    const first = await install();
    const connected = (await attach(owner, first.token).expect(201)).body;
    const connector = (await owner.post('/api/connectors', { name: 'Shop', credential_id: connected.id }).expect(201)).body;
    const { portalId, token } = await install();
    expect((await attach(owner, token).expect(402)).body.detail).toMatchObject(
      { error: 'portal_limit_reached', tier: 'free', limit: 1, usage: 1 },
    );
    await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { tier: 'scale' }).expect(200);
    const to = (id: string, more = {}) => ({ name: 'portal', connector_id: id, ...more });
    expect((await attach(owner, token, to(randomUUID())).expect(404)).body).toEqual(error('connector_not_found'));
    expect((await attach(owner, token, to(connector.id)).expect(409)).body.detail).toMatchObject({
      error: 'rebind_confirmation_required', old_portal_id: String(first.portalId), new_portal_id: String(portalId),
      identity_mapping_count: 0,
    });
    expect((await owner.get('/api/credentials').expect(200)).body.total).toBe(1);
    const bound = (await attach(owner, token, to(connector.id, { confirm_rebind: true })).expect(201)).body;
    expect(bound).toMatchObject({ portal_id: String(portalId), connector_id: connector.id });
    expect((await owner.get(`/api/connectors/${connector.id}`).expect(200)).body.credential_id).toBe(bound.id);
  });

  test('again for a portal whose scopes were missing needs no confirmation and no place in the plan', async () => {
    const owner = await lab.owner('free');
    const { portalId, token } = await install(0, ['oauth']);
    const before = (await attach(owner, token).expect(201)).body;
    const connector = (await owner.post('/api/connectors', { name: 'Shop', credential_id: before.id }).expect(201)).body;
    const scopes = JSON.stringify({ scopes: ['oauth', 'crm.objects.contacts.read'] });
    const patch = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: scopes };
    expect((await fetch(`${lab.crmUrl}/_sim/portals/${portalId}`, patch)).status).toBe(200);
    const again = await install(portalId);
    const after = (await attach(owner, again.token, { name: 'portal', connector_id: connector.id }).expect(201)).body;
    expect([before.scopes, after.scopes]).toEqual([['oauth'], ['oauth', 'crm.objects.contacts.read']]);
    expect((await owner.get(`/api/connectors/${connector.id}`).expect(200)).body.credential_id).toBe(after.id);
    expect((await owner.get('/api/v1/billing/me').expect(200)).body.portals_used).toBe(1);
  });

  test('neither code nor token is in a log line, and the tokens of the CRM cannot be read in the database', async () => {
    const { portalId, token } = await install();
    await attach(await lab.owner(), token).expect(201);
    const { rows } = await lab.pool.query('SELECT row_to_json(i) FROM crm_installs i');
    const [logged, stored] = [JSON.stringify(lab.lines), JSON.stringify(rows)];
    expect([logged.includes(token), logged.includes(`sim-code-${portalId}`)]).toEqual([false, false]);
    for (const secret of [token, 'sim-refresh', 'sim-access']) expect(stored).not.toContain(secret);
  });
});

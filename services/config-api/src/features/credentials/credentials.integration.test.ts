import { RecentRead } from '@sluice/ports';
import { createMonotonicClock } from '@sluice/service-kit';
import { eventually } from '@sluice/testkit';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const crm = (data: object, name = 'portal') => ({ name, credential_type: 'crm_oauth', data });

test('a credential of the CRM: portal and scopes come from the CRM, data never comes back and is encrypted at rest', async () => {
  const owner = await lab.owner();
  const made = (await owner.post('/api/credentials', crm({ access_token: 'sim-access-1000001' })).expect(201)).body;
  expect(made).toMatchObject({ name: 'portal', credential_type: 'crm_oauth', portal_id: '1000001' });
  expect(made.scopes.length).toBeGreaterThan(3);
  expect((await owner.get(`/api/credentials/${made.id}`).expect(200)).body).toEqual(made);
  expect((await owner.get('/api/credentials').expect(200)).body).toEqual({ items: [made], total: 1 });
  const { rows } = await lab.pool.query('SELECT sealed FROM credentials WHERE id = $1', [made.id]);
  expect(rows[0].sealed).not.toContain('sim-access');
  const stranger = await lab.owner();
  for (const call of [
    stranger.get(`/api/credentials/${made.id}`),
    stranger.put(`/api/credentials/${made.id}`, { data: { access_token: 'x' } }),
    stranger.delete(`/api/credentials/${made.id}`),
  ]) {
    expect((await call.expect(404)).body).toEqual({ detail: 'Credential not found' });
  }
  const patched = await owner.patch(`/api/credentials/${made.id}`, {}).expect(405);
  expect(patched.headers.allow).toBe('DELETE, GET, HEAD, PUT');
});

test('a refresh token is exchanged first; a later refresh happens once for all', async () => {
  const owner = await lab.owner();
  const made = (await owner.post('/api/credentials', crm({ refresh_token: 'sim-refresh-1000001' })).expect(201)).body;
  expect(made.portal_id).toBe('1000001');
  const access = (await lab.configReader.crmAccess(made.id))!;
  let refreshes = 0;
  const refresh = async (token: string) => {
    refreshes += 1;
    expect(token).toBeTruthy();
    return { accessToken: 'fresh', refreshToken: 'rotated', expiresInS: 60 };
  };
  const answers = await Promise.all([1, 2, 3].map(() => lab.configReader.refreshCrmAccess(made.id, access.accessToken, refresh)));
  expect(refreshes).toBe(1);
  expect(answers.map((answer) => answer?.accessToken)).toEqual(['fresh', 'fresh', 'fresh']);
  expect(
    await lab.configReader.refreshCrmAccess(made.id, 'fresh', async (token) =>
      token === 'rotated' ? null : Promise.reject(new Error('the old refresh token')),
    ),
  ).toBeNull();
});

test('refuses tokens that the CRM refuses and invalid data, without repeating a secret', async () => {
  const owner = await lab.owner();
  const refused = await owner.post('/api/credentials', crm({ access_token: 'not-a-token-of-the-crm' })).expect(422);
  expect(refused.body.detail).toMatchObject([{ type: 'crm_token_refused', loc: ['body', 'data', 'access_token'], input: null }]);
  for (const data of [{}, { access_token: 'a', refresh_token: 'b' }, { value: 'x' }])
    await owner.post('/api/credentials', crm(data)).expect(422);
  const wrong = await owner
    .post('/api/credentials', {
      name: 'o',
      credential_type: 'oauth2_client_credentials',
      data: { token_url: 'ftp://x', client_secret: 'hush-hush', extra: 'hush-hush' },
    })
    .expect(422);
  expect(wrong.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')).sort()).toEqual([
    'body.data.client_id',
    'body.data.extra',
    'body.data.token_url',
  ]);
  expect(JSON.stringify(wrong.body)).not.toContain('hush-hush');
  const everything = await owner
    .post('/api/credentials', { name: ' ', credential_type: 'api_key', data: { valu: 'hush-hush' }, more: 1 })
    .expect(422);
  expect(everything.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')).sort()).toEqual([
    'body.data.valu',
    'body.data.value',
    'body.more',
    'body.name',
  ]);
  const nameless = await owner.post('/api/credentials', { credential_type: 'api_key', data: { value: 'hush-hush' } }).expect(422);
  expect(nameless.body.detail).toMatchObject([
    { type: 'missing', loc: ['body', 'name'], input: { credential_type: 'api_key', data: '[redacted]' } },
  ]);
  const text = await owner.post('/api/credentials', { name: 'x', credential_type: 'api_key', data: 'hush-hush' }).expect(422);
  for (const { body } of [everything, nameless, text]) expect(JSON.stringify(body)).not.toContain('hush-hush');
});

test.each(['off', 'on'])(
  'a token URL in a private network is stored with SLUICE_ALLOW_PRIVATE_TARGETS=%s only where that is on',
  async (setting) => {
    const other = await startLab({ SLUICE_ALLOW_PRIVATE_TARGETS: setting });
    try {
      const owner = await other.owner();
      const given = (token_url: string) => ({ token_url, client_id: 'i', client_secret: 'hush-hush' });
      const body = (token_url: string) => ({ name: 'erp', credential_type: 'oauth2_client_credentials', data: given(token_url) });
      const stored = (await owner.post('/api/credentials', { ...body('https://erp.example/token'), name: 'public' }).expect(201))
        .body;
      const answers = [
        await owner.post('/api/credentials', body('http://169.254.169.254/token')),
        await owner.put(`/api/credentials/${stored.id}`, { data: given('http://127.1:8080/token') }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(setting === 'on' ? [201, 200] : [422, 422]);
      for (const {
        status,
        body: { detail },
      } of answers) {
        if (status === 422)
          expect(detail).toMatchObject([{ type: 'private_target', loc: ['body', 'data', 'token_url'], input: null }]);
      }
    } finally {
      await other.stop();
    }
  },
);

test.each([
  ['api_key', { value: 'a-key' }],
  ['bearer_token', { token: 'a-token' }],
  ['oauth2_client_credentials', {
    token_url: 'https://erp.example/token', client_id: 'i', client_secret: 'a-secret', scope: 'a b',
  }],
  ['login', { username: 'u', password: 'a-password' }],
])('holds %s for sources, whose names are unique', async (credential_type, data) => {
  const owner = await lab.owner();
  const made = (await owner.post('/api/credentials', { name: 'erp', credential_type, data }).expect(201)).body;
  expect(made).toMatchObject({ portal_id: null, scopes: [], credential_type });
  expect((await owner.post('/api/credentials', { name: 'erp', credential_type, data }).expect(409)).body.detail.error).toBe(
    'credential_name_taken',
  );
  await owner.put(`/api/credentials/${made.id}`, { data }).expect(200);
  await owner.put(`/api/credentials/${made.id}`, { data: { wrong: 1 } }).expect(422);
  await owner.put(`/api/credentials/${made.id}`, { data, credential_type: 'crm_oauth' }).expect(422);
  await owner.delete(`/api/credentials/${made.id}`).expect(204);
  await owner.get(`/api/credentials/${made.id}`).expect(404);
});

test('the answer of a PUT comes when every process reads the new value', async () => {
  const owner = await lab.owner();
  const old = { name: 'erp', credential_type: 'api_key', data: { value: 'old' } };
  const { body: { id } } = await owner.post('/api/credentials', old);
  const organizationId = (await owner.get('/api/me')).body.organization.id;
  // As a process that makes requests reads it.
  const read = () => lab.configReader.sourceCredential(organizationId, 'erp');
  const believed = new RecentRead({ read, monotonicNow: createMonotonicClock() });
  expect(await believed.get()).toMatchObject({ data: { value: 'old' } });
  await owner.put(`/api/credentials/${id}`, { data: { value: 'new' } }).expect(200);
  expect(await believed.get()).toMatchObject({ data: { value: 'new' } });
});

describe('portals', () => {
  const another = (portalId: number): string =>
    lab.simulator.state.addPortal(portalId, { ...lab.simulator.state.portals.get(1_000_001)!.settings }).accessToken;

  test('are limited by the plan; one portal counts once, and deleting its last credential frees its place', async () => {
    const accessToken = another(3_000_001);
    const owner = await lab.owner('pro');
    const connect = (token: string, name = 'portal') => owner.post('/api/credentials', crm({ access_token: token }, name));
    const made = (await connect('sim-access-1000001').expect(201)).body;
    const again = (await connect('sim-access-1000001', 'again').expect(201)).body;
    const refused = async () => (await connect(accessToken).expect(402)).body.detail;
    expect(await refused()).toMatchObject({ error: 'portal_limit_reached', limit: 1, usage: 1 });
    await owner.delete(`/api/credentials/${made.id}`).expect(204);
    expect(await refused()).toMatchObject({ error: 'portal_limit_reached', limit: 1, usage: 1 });
    await owner.delete(`/api/credentials/${again.id}`).expect(204);
    await connect(accessToken).expect(201);
    expect((await connect('sim-access-1000001').expect(402)).body.detail.error).toBe('portal_limit_reached');
  });

  test('are kept when a credential is rotated: a token of another portal is refused', async () => {
    const accessToken = another(3_000_002);
    const owner = await lab.owner();
    const made = (await owner.post('/api/credentials', crm({ access_token: 'sim-access-1000001' })).expect(201)).body;
    const rotate = (data: object) => owner.put(`/api/credentials/${made.id}`, { data, name: 'renamed' });
    const { detail } = (await rotate({ access_token: accessToken }).expect(409)).body;
    expect(detail.error).toBe('credential_portal_mismatch');
    expect((await owner.get(`/api/credentials/${made.id}`).expect(200)).body).toEqual(made);
    const rotated = (await rotate({ refresh_token: 'sim-refresh-1000001' }).expect(200)).body;
    expect(rotated).toMatchObject({ id: made.id, name: 'renamed', portal_id: '1000001' });
  });

  test('of a CRM that does not answer cannot be connected or rotated: 502, and nothing changes', async () => {
    const owner = await lab.owner();
    const made = (await owner.post('/api/credentials', crm({ access_token: 'sim-access-1000001' })).expect(201)).body;
    const fault = { probability: 1, headers: {}, drop: false, delayMs: 0, afterWrite: false };
    for (const trouble of [{ status: 503 }, { status: 500 }, { drop: true }]) {
      lab.simulator.state.faults.add({ ...fault, ...trouble, path: /oauth/ });
      for (const data of [{ access_token: 'sim-access-1000001' }, { refresh_token: 'sim-refresh-1000001' }]) {
        const answers = [
          await owner.post('/api/credentials', crm(data)),
          await owner.put(`/api/credentials/${made.id}`, { data }),
        ];
        for (const { status, body } of answers) expect([status, body.detail.error]).toEqual([502, 'crm_unavailable']);
      }
      lab.simulator.state.faults.clear();
    }
    expect((await owner.get('/api/credentials').expect(200)).body).toEqual({ items: [made], total: 1 });
  });
});

test('a refused refresh token sets its connectors to error, until they are set active again', async () => {
  const owner = await lab.owner();
  const first = (await owner.post('/api/credentials', crm({ refresh_token: 'sim-refresh-1000001' })).expect(201)).body;
  const connector = async (name: string) =>
    (await owner.post('/api/connectors', { name, credential_id: first.id }).expect(201)).body.id as string;
  const [id, second] = [await connector('A'), await connector('B')];
  const other = (await owner.post('/api/connectors', { name: 'Elsewhere' }).expect(201)).body.id as string;
  await lab.pool.query('UPDATE connectors SET binding_credential_id = NULL WHERE id = $1', [other]);
  const status = async (which: string) => (await owner.get(`/api/connectors/${which}`).expect(200)).body.status;
  const { accessToken } = (await lab.configReader.crmAccess(first.id))!;
  const refresh = (outcome: () => Promise<null>) => lab.configReader.refreshCrmAccess(first.id, accessToken, outcome);
  await expect(refresh(() => Promise.reject(new Error('the CRM does not answer')))).rejects.toThrow('does not answer');
  expect(await status(id)).toBe('active');
  expect(await refresh(() => Promise.resolve(null))).toBeNull();
  expect([await status(id), await status(second), await status(other)]).toEqual(['error', 'error', 'active']);
  await eventually(() => lab.change(id)?.status === 'error' && lab.change(second)?.status === 'error');
  expect((await owner.get(`/api/connectors/${id}`)).body.health.state).toBe('error');
  const { revision } = (await lab.configReader.connector(id))!;
  await refresh(() => Promise.resolve(null));
  expect((await lab.configReader.connector(id))!.revision).toBe(revision);
  await owner.patch(`/api/connectors/${id}`, { status: 'active' }).expect(200);
  expect([await status(id), await status(second)]).toEqual(['active', 'error']);
});

test('the next call to the portal detects a credential that the CRM revoked', async () => {
  const owner = await lab.owner();
  const revoked = lab.simulator.state.addPortal(7_700_001, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
  await owner.post('/api/credentials', crm({ refresh_token: revoked.refreshToken })).expect(201);
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  const fault = { probability: 1, headers: {}, drop: false, delayMs: 0, afterWrite: false };
  lab.simulator.state.faults.add({ ...fault, portalId: 7_700_001, status: 401 });
  lab.simulator.state.faults.add({ ...fault, path: /oauth.v1.token$/, status: 400, body: { status: 'BAD_REFRESH_TOKEN' } });
  await owner.get(`/api/connectors/${id}/crm-properties/contacts`).expect(502);
  lab.simulator.state.faults.clear();
  expect((await owner.get(`/api/connectors/${id}`).expect(200)).body.status).toBe('error');
});

test('a portal that was deleted, or removed the app, sets its connectors to error at the next call', async () => {
  const owner = await lab.owner();
  const portal = lab.simulator.state.addPortal(7_700_002, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
  await owner.post('/api/credentials', crm({ refresh_token: portal.refreshToken })).expect(201);
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  lab.simulator.state.tokens.revokePortal(7_700_002);
  await owner.get(`/api/connectors/${id}/crm-properties/contacts`).expect(502);
  expect((await owner.get(`/api/connectors/${id}`).expect(200)).body.status).toBe('error');
});

describe('hosts that a credential may be sent to', () => {
  const erp = { name: 'erp', credential_type: 'api_key', data: { value: 'a-secret-key' } };

  test('are shown, kept through a rotation, and taken away by null', async () => {
    const owner = await lab.owner();
    const given = { ...erp, allowed_hosts: ['ERP.example.com', '*.eu.example'] };
    const made = (await owner.post('/api/credentials', given).expect(201)).body;
    expect(made.allowed_hosts).toEqual(['erp.example.com', '*.eu.example']);
    const put = async (more: object) =>
      (await owner.put(`/api/credentials/${made.id}`, { data: erp.data, ...more }).expect(200)).body.allowed_hosts;
    expect(await put({})).toEqual(['erp.example.com', '*.eu.example']);
    expect(await put({ allowed_hosts: ['other.example:8443'] })).toEqual(['other.example:8443']);
    expect(await put({ allowed_hosts: null })).toBeNull();
  });

  test('are host names: no URL, no star alone, not none; a credential of the CRM has none', async () => {
    const owner = await lab.owner();
    const loc = async (body: object) =>
      (await owner.post('/api/credentials', body).expect(422)).body.detail.map((one: { loc: unknown[] }) => one.loc.join('.'));
    expect(await loc({ ...erp, allowed_hosts: ['https://erp.example.com', 'a.example', '*'] })).toEqual(
      ['body.allowed_hosts.0', 'body.allowed_hosts.2'],
    );
    expect(await loc({ ...erp, allowed_hosts: [] })).toEqual(['body.allowed_hosts']);
    expect(await loc({ ...crm({ access_token: 'sim-access-1000001' }),
      allowed_hosts: ['a.example'] })).toEqual(['body.allowed_hosts']);
  });
});

test('a secret of one character is taken, an empty one is refused', async () => {
  const owner = await lab.owner();
  const secrets = (secret: string): [string, object, string][] => [
    ['api_key', { value: secret }, 'value'],
    ['bearer_token', { token: secret }, 'token'],
    ['login', { username: 'a', password: secret }, 'password'],
    ['oauth2_client_credentials', { token_url: 'https://id.example.com', client_id: 'c', client_secret: secret },
      'client_secret'],
  ];
  for (const [credential_type, data] of secrets('s'))
    await owner.post('/api/credentials', { name: credential_type, credential_type, data }).expect(201);
  for (const [credential_type, data, field] of secrets('')) {
    const { detail } = (await owner.post('/api/credentials', { name: 'x', credential_type, data }).expect(422)).body;
    expect(detail).toMatchObject([{ loc: ['body', 'data', field], input: null }]);
  }
});

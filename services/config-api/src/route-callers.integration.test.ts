import { configRoutes, type RouteContract } from '@sluice/contracts';
import { startLab } from './test-support/lab';

/** Who may call what, derived from the contracts: every route of the config plane against every kind of caller. */
const routes = Object.values(configRoutes as Record<string, unknown>).filter((value): value is RouteContract =>
  typeof value === 'object' && value !== null && 'method' in value && 'answers' in value);

const callers = [
  'nobody', 'a made-up token', 'the owner', 'a member', 'an organization key', 'a revoked organization key', 'a connector key',
  'a connector key as x-api-key', 'a user who is no member any more', 'an ended session', 'the operator',
] as const;
type Caller = (typeof callers)[number];

/** Callers whom the config plane knows. Everybody else is not authenticated. */
const known: Partial<Record<Caller, 'enters' | 'not_a_member'>> = {
  'the owner': 'enters', 'a member': 'enters', 'an organization key': 'enters',
  'a user who is no member any more': 'not_a_member',
};

/** What a caller meets: `enters` is whatever the route then says to a request about nothing. */
function verdict({ auth }: RouteContract, caller: Caller): string {
  switch (auth) {
    case 'none':
      return 'enters';
    case 'operator':
      return caller === 'the operator' ? 'enters' : '401';
    case 'config':
    case 'user':
    case 'owner': {
      const standing = known[caller];
      if (standing === undefined) return '401';
      if (standing !== 'enters') return `403 ${standing}`;
      if (auth === 'owner' && caller !== 'the owner') return '403 owner_required';
      return auth === 'user' && caller === 'an organization key' ? '403 user_auth_required' : 'enters';
    }
    case 'connector_key':
      throw new Error('a route of the event plane among those of the config plane');
  }
}

const nothing = '00000000-0000-4000-8000-000000000000';
const aboutNothing = ({ path }: RouteContract): string => path.replace(':version', '1').replaceAll(/:\w+/g, nothing);

let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Awaited<ReturnType<typeof lab.owner>>;
let headers: Record<Caller, Record<string, string>>;
let connectorId: string;

beforeAll(async () => {
  lab = await startLab();
  owner = await lab.owner();
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const newKey = async (label: string) => (await owner.post('/api/org-api-keys', { label }).expect(201)).body;
  const [key, revoked] = [await newKey('ci'), await newKey('old')];
  await owner.delete(`/api/org-api-keys/${revoked.id}`).expect(204);
  const connector = (await owner.post('/api/connectors', { name: 'Shop', create_api_key: true }).expect(201)).body;
  connectorId = connector.id;
  const newMember = () => lab.member(owner.organizationId);
  const [member, gone, ended] = [await newMember(), await newMember(), await newMember()];
  const { user } = (await gone.get('/api/me').expect(200)).body;
  await lab.pool.query('DELETE FROM memberships WHERE user_id = $1', [user.id]);
  await ended.post('/api/auth/logout').expect(204);
  headers = {
    nobody: {}, 'a made-up token': bearer('made-up'), 'the owner': bearer(owner.token), 'a member': bearer(member.token),
    'an organization key': bearer(key.raw_key), 'a revoked organization key': bearer(revoked.raw_key),
    'a connector key': bearer(connector.api_key.raw_key),
    'a connector key as x-api-key': { 'x-api-key': connector.api_key.raw_key },
    'a user who is no member any more': bearer(gone.token), 'an ended session': bearer(ended.token),
    'the operator': bearer(lab.operator.token),
  };
});
afterAll(() => lab.stop());

/** The status, with the code of a 403 that is about who calls. */
async function met({ method, ...route }: RouteContract, caller: Caller): Promise<string> {
  // Routes that a cookie opens answer their own 401 and 403.
  const { status, body } = await lab.api()[method](aboutNothing({ method, ...route })).set(headers[caller]);
  const entered = route.auth === 'none' ? status < 500 : status !== 401 && status !== 403 && status < 500;
  return entered ? 'enters' : [status, body.detail?.error].filter(Boolean).join(' ');
}

test('there are routes of every kind', () => {
  expect(new Set(routes.map(({ auth }) => auth))).toEqual(new Set(['none', 'config', 'owner', 'operator']));
  expect(routes.length).toBeGreaterThan(35);
});

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_name, route) => {
  // Whoever is signed in would be signed out for the routes that follow.
  const asked = callers.filter((caller) => route.name !== 'logout' || known[caller] === undefined);
  const answers: Partial<Record<Caller, string>> = {};
  for (const caller of asked) answers[caller] = await met(route, caller);
  expect(answers).toEqual(Object.fromEntries(asked.map((caller) => [caller, verdict(route, caller)])));
});

test('what belongs to another organization is not there, whatever is done to it', async () => {
  const stranger = await lab.owner();
  const credential = { name: 'erp', credential_type: 'api_key', data: { value: 'v' } };
  const ids: Record<string, string> = {
    connector_id: connectorId, credential_id: (await owner.post('/api/credentials', credential).expect(201)).body.id,
    key_id: (await owner.post('/api/org-api-keys', { label: 'kept' }).expect(201)).body.id, version: '1',
  };
  await owner.put(`/api/connectors/${connectorId}/draft`, { version: '3.0', entities: [], flows: [], sources: [] }).expect(200);
  await owner.post(`/api/connectors/${connectorId}/publish`).expect(200);
  const inConnector = ['', '/draft', '/versions', '/api-keys'].map((path) => `/api/connectors/${connectorId}${path}`);
  const looks = [...inConnector, '/api/credentials', '/api/org-api-keys'];
  const all = () => Promise.all(looks.map(async (path) => (await owner.get(path).expect(200)).body));
  const before = await all();
  const bodies: Record<string, object> = { rotate_credential: { data: { value: 'w' } } };
  const owned = routes.filter(({ path, auth }) => path.includes('/:') && auth !== 'operator' && auth !== 'none');
  expect(owned.length).toBeGreaterThan(15);
  for (const route of owned) {
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? `no value for ${name}`);
    const example = route.examples?.find(({ body }) => body !== undefined)?.body;
    const body = bodies[route.name] ?? example ?? (route.body ? {} : undefined);
    expect([route.name, (await stranger[route.method](path, body)).status]).toEqual([route.name, 404]);
  }
  expect(await all()).toEqual(before);
});

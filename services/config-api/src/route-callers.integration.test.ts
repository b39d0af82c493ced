import { callerVerdict, configRoutes, type RouteCaller, routeCallers, type RouteContract } from '@sluice/contracts';
import { startLab } from './test-support/lab';

/** Who may call what, derived from the contracts: every route of the config plane against every kind of caller. */
const routes = Object.values(configRoutes as Record<string, unknown>).filter((value): value is RouteContract =>
  typeof value === 'object' && value !== null && 'method' in value && 'answers' in value);

/** How each caller of the test authenticates, and who that is. */
const callers = {
  nobody: 'nobody',
  'a made-up token': 'nobody',
  'a revoked organization key': 'nobody',
  'an ended session': 'nobody',
  'the owner': 'an owner',
  'a member': 'a member',
  'the owner of another organization': 'an owner of another organization',
  'a user who is no member any more': 'a former member',
  'a user who is a member of nothing': 'a person without an organization',
  'an organization key': 'an organization key',
  'a connector key': 'a connector key',
  'a connector key as x-api-key': 'a connector key',
  'a webhook sender': 'a webhook sender',
  'a compat key': 'a compat key',
  'the operator': 'the operator',
} as const satisfies Record<string, RouteCaller>;
type Caller = keyof typeof callers;
const names = Object.keys(callers) as Caller[];

const nothing = '00000000-0000-4000-8000-000000000000';
/** The path of a route, in the organization of the owner and about things that nobody has. */
const aboutNothing = ({ path, organization }: RouteContract): string => {
  const inOrganization = organization === undefined ? path : path.replace(':organization_id', owner.organizationId);
  return inOrganization.replace(':version', '1').replaceAll(/:\w+/g, nothing);
};

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
  const stranger = await lab.owner();
  const newMember = (userId?: string) => lab.member(owner.organizationId, userId);
  const [member, alone, ended] = [await newMember(), await newMember(), await newMember()];
  const gone = await newMember(stranger.userId);
  for (const { userId } of [gone, alone]) await owner.delete(`/api/orgs/${owner.organizationId}/members/${userId}`).expect(204);
  await ended.post('/api/auth/logout').expect(204);
  headers = {
    nobody: {}, 'a made-up token': bearer('made-up'), 'the owner': bearer(owner.token), 'a member': bearer(member.token),
    'an organization key': bearer(key.raw_key), 'a revoked organization key': bearer(revoked.raw_key),
    'a connector key': bearer(connector.api_key.raw_key),
    'a connector key as x-api-key': { 'x-api-key': connector.api_key.raw_key },
    'the owner of another organization': bearer(stranger.token), 'a user who is no member any more': bearer(gone.token),
    'a user who is a member of nothing': bearer(alone.token), 'an ended session': bearer(ended.token),
    'a webhook sender': { 'x-signature': 'a'.repeat(64) }, 'a compat key': bearer('key of a legacy system'),
    'the operator': bearer(lab.operator.token),
  };
});
afterAll(() => lab.stop());

/** The status, with the code of a 403 about the caller. */
async function met({ method, ...route }: RouteContract, caller: Caller): Promise<string> {
  // Routes that a cookie opens answer their own 401 and 403.
  const { status, body } = await lab.api()[method](aboutNothing({ method, ...route })).set(headers[caller]);
  const entered = route.auth === 'none' ? status < 500 : status !== 401 && status !== 403 && status < 500;
  // An organization that is not the caller's answers 404, like the things that nobody has: a route without one shows the
  // difference.
  if (route.organization !== undefined && callers[caller] === 'an owner of another organization') return String(status);
  return entered ? 'enters' : [status, body.detail?.error].filter(Boolean).join(' ');
}

test('there are routes and callers of every kind', () => {
  expect(new Set(Object.values(callers))).toEqual(new Set(routeCallers));
  expect(new Set(routes.map(({ auth }) => auth))).toEqual(new Set(['none', 'config', 'user', 'owner', 'owner_or_key', 'account', 'account_or_key', 'operator']));
  expect(routes.length).toBeGreaterThan(35);
});

const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const);
test.each(named)('every caller gets the answer of its kind: %s', async (_name, route) => {
  // Signing out would end the session for the routes that follow.
  const asked = names.filter(
    (caller) => route.name !== 'logout' || callerVerdict({ auth: 'account' }, callers[caller]) === '401',
  );
  const answers: Partial<Record<Caller, string>> = {};
  for (const caller of asked) answers[caller] = await met(route, caller);
  expect(answers).toEqual(Object.fromEntries(asked.map((caller) => [caller, callerVerdict(route, callers[caller])])));
});

test('an object of another organization is answered with 404 on every route', async () => {
  const stranger = await lab.owner();
  const credential = { name: 'erp', credential_type: 'api_key', data: { value: 'a-key' } };
  const invited = { email: 'invited@callers.example', role: 'member' };
  const ids: Record<string, string> = {
    connector_id: connectorId, credential_id: (await owner.post('/api/credentials', credential).expect(201)).body.id,
    key_id: (await owner.post('/api/org-api-keys', { label: 'kept' }).expect(201)).body.id,
    version: '1', from: '1', to: '1', name: 'customer', organization_id: owner.organizationId, user_id: owner.userId,
    invitation_id: (await owner.post(`/api/orgs/${owner.organizationId}/invitations`, invited).expect(201)).body.id,
  };
  await owner.put(`/api/connectors/${connectorId}/draft`, { version: '3.0', entities: [], flows: [], sources: [] }).expect(200);
  await owner.post(`/api/connectors/${connectorId}/publish`).expect(200);
  const inConnector = ['', '/draft', '/versions', '/api-keys'].map((path) => `/api/connectors/${connectorId}${path}`);
  const inOrganization = ['', '/members', '/invitations'].map((path) => `/api/orgs/${owner.organizationId}${path}`);
  const looks = [...inConnector, ...inOrganization, '/api/credentials', '/api/org-api-keys'];
  const all = () => Promise.all(looks.map(async (path) => (await owner.get(path).expect(200)).body));
  const before = await all();
  const bodies: Record<string, object> = {
    rotate_credential: { data: { value: 'another-key' } },
    create_bulk_import: { entity: 'customer', rows: [{ external_id: 'c1', properties: {} }] },
    create_verification: { entity: 'customer', external_ids: ['c1'] },
    setup_plugin: { connector_id: ids.connector_id }, teardown_plugin: { connector_id: ids.connector_id },
  };
  const queries: Record<string, string> = {
    remove_identity_mapping: '?entity_type=contact&external_id=c1', stats_timeseries: '?metric=records_ok',
  };
  // What takes only a form answers 415 to JSON, whoever asks.
  const owned = routes.filter(({ path, auth, form, body }) =>
    path.includes('/:') && auth !== 'operator' && auth !== 'none' && (form === undefined || body !== undefined));
  expect(owned.length).toBeGreaterThan(15);
  for (const route of owned) {
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? `no value for ${name}`);
    const example = route.examples?.find(({ body }) => body !== undefined)?.body;
    const body = bodies[route.name] ?? example ?? (route.body ? {} : undefined);
    const { status } = await stranger[route.method](path + (queries[route.name] ?? ''), body);
    expect([route.name, status]).toEqual([route.name, 404]);
  }
  expect(await all()).toEqual(before);
});

import { configRoutes, type RouteContract } from '@sluice/contracts';
import { lab } from '../test-support/shared-lab';
import { accountAuditTests } from './test-support/account-audit-tests';
import { logOf, shareAuditLab, told } from './test-support/audit-lab';
import { connectorAuditTests } from './test-support/connector-audit-tests';
import { jobAuditTests } from './test-support/job-audit-tests';

shareAuditLab();
connectorAuditTests();
accountAuditTests();
jobAuditTests();

test('every route that changes something is covered', () => {
  const audited = Object.values<unknown>(configRoutes)
    .filter((route): route is RouteContract => typeof (route as RouteContract).audit?.action === 'string')
    .filter(({ audit }) => audit!.read !== true);
  expect(audited.map(({ audit }) => audit!.action).filter((action) => !told.has(action))).toEqual([]);
});

test('refusals are logged with their reason, also wrong sign-ins; nothing changes, and no read is logged', async () => {
  const [owner, other] = [await lab.owner('free'), await lab.owner()];
  const orgKey = (await owner.post('/api/org-api-keys', { label: 'deploy' }).expect(201)).body;
  const api = lab.as(orgKey.raw_key);
  const before = (await logOf(owner)).length;
  await api.post('/api/org-api-keys', { label: 'more' }).expect(403);
  await api.post('/api/connectors', { name: '' }).expect(422);
  await api.patch('/api/connectors/5f0c1c9e-0000-4000-8000-000000000001', { name: 'x' }).expect(404);
  await api.post('/api/connectors', { name: 'One' }).expect(201);
  await api.post('/api/connectors', { name: 'Two' }).expect(402);
  await lab
    .api()
    .post('/api/auth/login')
    .set('x-forwarded-for', '203.0.113.9')
    .send({ email: owner.email, password: 'not the password' })
    .expect(401);
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { tier: 'gold' }).expect(422);
  await api.get('/api/connectors').expect(200);
  const refused = (await logOf(owner))
    .slice(before)
    .map(({ actor, action, target, ip, outcome, reason }) => [actor.type, actor.id, action, target.id, ip, outcome, reason]);
  const key = ['org_key', orgKey.id];
  expect(refused).toEqual([
    [...key, 'org_key.create', null, expect.any(String), 'refused', 'owner_required'],
    [...key, 'connector.create', null, expect.any(String), 'refused', 'validation'],
    [...key, 'connector.update', '5f0c1c9e-0000-4000-8000-000000000001', expect.any(String), 'refused', 'connector_not_found'],
    [...key, 'connector.create', expect.any(String), expect.any(String), 'done', null],
    [...key, 'connector.create', null, expect.any(String), 'refused', 'connector_limit_reached'],
    ['user', null, 'session.create', null, '203.0.113.9', 'refused', 'Invalid credentials'],
    ['operator', null, 'organization.update', owner.organizationId, expect.any(String), 'refused', 'validation'],
  ]);
  expect((await logOf(other)).map(({ action }) => action)).toEqual(['organization.create', 'session.create']);
});

test('refusals do not fill the log', async () => {
  const owner = await lab.owner();
  for (let done = 0; done < 130; done += 10)
    await Promise.all(Array.from({ length: 10 }, () => owner.post('/api/connectors', { name: '' }).expect(422)));
  const { items } = (await owner.get(`/api/orgs/${owner.organizationId}/audit?limit=200&action=connector.create`).expect(200))
    .body;
  expect(items).toHaveLength(120);
  await owner.post('/api/org-api-keys', { label: '' }).expect(422);
  expect((await logOf(owner)).at(-1)).toMatchObject({ action: 'org_key.create', outcome: 'refused' });
});

test('a stranger neither silences the log of an organization nor speaks in it', async () => {
  const owner = await lab.owner();
  const before = await logOf(owner);
  const path = `/operator/organizations/${owner.organizationId}`;
  for (let done = 0; done < 130; done += 10)
    await Promise.all(Array.from({ length: 10 }, () => lab.api().patch(path).send({ tier: 'free' }).expect(401)));
  await lab.as('not-the-operator-token').patch(path, { tier: 'free' }).set('x-forwarded-for', '203.0.113.50').expect(401);
  await lab.as('not-the-operator-token').get(path).set('x-forwarded-for', '203.0.113.50').expect(401);
  expect(await logOf(owner)).toEqual(before);
  expect(lab.lines.filter(({ message }) => message === "a call of the operator's routes was refused")).toHaveLength(132);
  await lab.api().post('/api/auth/login').send({ email: owner.email, password: 'not the password' }).expect(401);
  expect((await logOf(owner)).slice(before.length)).toMatchObject([
    { actor: { type: 'user', id: null, label: owner.email }, action: 'session.create', outcome: 'refused' },
  ]);
});

test('the throttle of sign-ins leaves an entry when it begins to refuse', async () => {
  const owner = await lab.owner();
  const before = (await logOf(owner)).length;
  const signIn = (status: number) => lab.api().post('/api/auth/login').set('x-forwarded-for', '203.0.113.77')
    .send({ email: owner.email, password: 'not the password' }).expect(status);
  for (const status of [401, 401, 401, 401, 401, 429, 429]) await signIn(status);
  const entries = (await logOf(owner)).slice(before);
  expect(entries.filter(({ action }) => action === 'session.create')).toHaveLength(5);
  expect(entries.filter(({ action }) => action !== 'session.create')).toMatchObject([{
    actor: { type: 'user', id: null }, action: 'session.throttle', target: { type: 'user', id: owner.userId },
    ip: '203.0.113.77', outcome: 'refused', reason: 'too_many_attempts',
  }]);
});

test('the log is read by owners, of their own organization, in pages and by time', async () => {
  const [owner, other] = [await lab.owner(), await lab.owner()];
  for (const label of ['a', 'b', 'c']) await owner.post('/api/org-api-keys', { label }).expect(201);
  const path = `/api/orgs/${owner.organizationId}/audit`;
  const key = lab.as((await owner.post('/api/org-api-keys', { label: 'd' }).expect(201)).body.raw_key);
  expect((await key.get(path).expect(403)).body).toEqual({ detail: { error: 'owner_required' } });
  expect((await other.get(path).expect(404)).body).toEqual({ detail: 'Not Found' });
  const first = (await owner.get(`${path}?limit=3&action=org_key.create`).expect(200)).body;
  const second = (await owner.get(`${path}?limit=3&action=org_key.create&cursor=${first.next_cursor}`).expect(200)).body;
  expect([first.items.length, second.items.length, second.next_cursor]).toEqual([3, 1, null]);
  expect((await owner.get(`${path}?since=2999-01-01T00:00:00Z`).expect(200)).body.items).toEqual([]);
  expect((await owner.get(`${path}?until=2020-01-01T00:00:00Z`).expect(200)).body.items).toEqual([]);
  await owner.get(`${path}?since=yesterday`).expect(422);
});

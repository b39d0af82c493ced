import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const aConnector = async (owner: Awaited<ReturnType<typeof lab.owner>>): Promise<string> =>
  (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body.id;
const duplicate = { detail: { error: 'duplicate_compat_key' } };

test('a secret is imported, listed without itself, revoked, and never taken a second time', async () => {
  const owner = await lab.owner();
  const path = `/api/connectors/${await aConnector(owner)}/compat-keys`;
  const secret = ' legacy secret ';
  const { body: key } = await owner.post(path, { secret, label: ' old shop ' }).expect(201);
  expect(key).toEqual({
    id: expect.any(String), label: 'old shop', is_active: true, created_at: expect.any(String), last_used_at: null,
  });
  expect((await owner.post(path, { secret, label: 'again' }).expect(409)).body).toEqual(duplicate);
  await owner.post(path, { secret: secret.trim(), label: 'taken verbatim' }).expect(201);
  await owner.delete(`${path}/${key.id}`).expect(204);
  expect((await owner.post(path, { secret, label: 'again' }).expect(409)).body).toEqual(duplicate);
  const { body: list } = await owner.get(path).expect(200);
  expect(list.total).toBe(2);
  expect(list.items[1]).toEqual({ ...key, is_active: false });
  await owner.delete(`${path}/${key.connector_id}`).expect(404);
});

test('neither the table nor an answer holds the secret, and equal secrets of two connectors look different', async () => {
  const owner = await lab.owner();
  const [one, other] = [await aConnector(owner), await aConnector(owner)];
  for (const id of [one, other])
    await owner.post(`/api/connectors/${id}/compat-keys`, { secret: 'shared-secret', label: 'k' }).expect(201);
  const { rows } = await lab.pool.query('SELECT key_hash FROM compat_keys WHERE connector_id = ANY($1)', [[one, other]]);
  expect(new Set(rows.map(({ key_hash }) => key_hash)).size).toBe(2);
  expect(JSON.stringify(rows)).not.toContain('shared-secret');
  const refused = await owner.post(`/api/connectors/${one}/compat-keys`, { secret: 'tooshor', label: 'k' }).expect(422);
  expect(refused.body.detail).toMatchObject([{ type: 'string_too_short', loc: ['body', 'secret'] }]);
  expect(refused.text).not.toContain('tooshor');
  await owner.post(`/api/connectors/${one}/compat-keys`, { secret: 'x'.repeat(512), label: 'longest' }).expect(201);
  await owner.post(`/api/connectors/${one}/compat-keys`, { secret: 'x'.repeat(513), label: 'longer' }).expect(422);
});

test('an owner or an organization key imports; a member may only read', async () => {
  const owner = await lab.owner();
  const path = `/api/connectors/${await aConnector(owner)}/compat-keys`;
  const key = lab.as((await owner.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body.raw_key);
  const { body: made } = await key.post(path, { secret: 'from-a-pipeline', label: 'ci' }).expect(201);
  const member = await lab.member(owner.organizationId);
  const refused = { detail: { error: 'owner_required' } };
  expect((await member.post(path, { secret: 'from-a-member', label: 'm' }).expect(403)).body).toEqual(refused);
  expect((await member.delete(`${path}/${made.id}`).expect(403)).body).toEqual(refused);
  expect((await member.get(path).expect(200)).body.total).toBe(1);
});

import { randomUUID } from 'node:crypto';
import { exportWorker, type Fence } from '@sluice/ports';
import { createExportStore, createPrisma, createTaskStore } from '@sluice/store-postgres';
import { type Caller, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Awaited<ReturnType<typeof lab.owner>>;
let prisma: ReturnType<typeof createPrisma>;
beforeAll(async () => {
  lab = await startLab({ SLUICE_EXPORT_LINK_TTL: '2' });
  prisma = createPrisma(lab.pool);
});
afterAll(async () => {
  await prisma.$disconnect();
  await lab.stop();
});
beforeEach(async () => { owner = await lab.owner(); });

const store = () => createExportStore(lab.pool, prisma);
const bytes = Buffer.from('PK: the bytes of a package, as they are');
const connector = async (caller: Caller = owner): Promise<string> =>
  (await caller.post('/api/connectors', { name: 'Shop' }).expect(201)).body.id;
const ask = async (body?: object, caller: Pick<Caller, 'post'> = owner) =>
  (await caller.post('/api/data-exports', body).expect(202)).body;
const claimed = new Map<string, Fence>();
const claim = async (id: string): Promise<Fence> => {
  const request = { worker: exportWorker, limit: 1_000, leaseMs: 60_000, exceptTenants: [] };
  const { runs } = await createTaskStore(lab.pool).claim('export-worker', [request]);
  for (const run of runs) claimed.set(run.key, run);
  return claimed.get(id)!;
};
/** Does what export-worker does. */
async function complete(id: string): Promise<string> {
  const fence = await claim(id);
  const key = `data-exports/${id}/1.zip`;
  const run = (await store().begin(fence, id, key))!;
  await lab.blobs.put(key, bytes);
  await store().complete(fence, run, { key, sizeBytes: bytes.length, categories: ['connectors'], rows: 3, ttlMs: 60_000 });
  return key;
}
const linkOf = async (id: string) => (await owner.get(`/api/data-exports/${id}/download`).expect(200)).body;
/** The path of a link, for a request without a sign-in. */
const pathOf = (url: string): string => url.slice('http://sluice.test'.length);
const download = (path: string) => lab.api().get(path).buffer(true).parse((response, done) => {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(null, Buffer.concat(chunks)));
});

test('an export is asked for, listed, and has its package behind a link that needs no sign-in', async () => {
  const asked = await ask();
  expect(asked).toEqual({
    id: expect.any(String), scope: 'organization', connector_id: null, status: 'queued', requested_by: owner.email,
    created_at: expect.any(String), started_at: null, completed_at: null, expires_at: null, size_bytes: null, error: null,
    categories: [], progress: { done: 0, total: 0 },
  });
  const early = await owner.get(`/api/data-exports/${asked.id}/download`).expect(409);
  expect(early.body.detail.error).toBe('data_export_not_ready');
  await complete(asked.id);
  const { body: { exports } } = await owner.get('/api/data-exports').expect(200);
  expect(exports).toMatchObject([{
    id: asked.id, status: 'completed', size_bytes: bytes.length, categories: ['connectors'], progress: { done: 3, total: 3 },
  }]);
  expect((await owner.get(`/api/data-exports/${asked.id}`).expect(200)).body).toEqual(exports[0]);
  const { url, filename, expires_in_seconds } = await linkOf(asked.id);
  expect([filename, expires_in_seconds]).toEqual([expect.stringMatching(/^sluice-export-organization-.*\.zip$/), 2]);
  const got = await download(pathOf(url)).expect(200);
  expect(got.body).toEqual(bytes);
  expect(got.headers).toMatchObject({
    'content-type': 'application/zip', 'content-disposition': `attachment; filename=${filename}`,
    'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer',
    'accept-ranges': 'bytes',
  });
  const part = await download(pathOf(url)).set('Range', 'bytes=0-1').expect(206);
  expect([String(part.body), part.headers['content-range']]).toEqual(['PK', `bytes 0-1/${bytes.length}`]);
});

test('a connector is a scope of its own', async () => {
  const id = await connector();
  expect(await ask({ connector_id: id })).toMatchObject({ scope: 'connector', connector_id: id });
  const again = await owner.post('/api/data-exports', { connector_id: id }).expect(409);
  expect(again.body.detail).toEqual({ error: 'data_export_in_progress', export_id: expect.any(String) });
  await ask({});
  await owner.post('/api/data-exports', { more: 1 }).expect(422);
  for (const unknown of [randomUUID(), 'none', await connector(await lab.owner())])
  {
    const { body } = await owner.post('/api/data-exports', { connector_id: unknown }).expect(404);
    expect(body.detail.error).toBe('connector_not_found');
  }
});

test('ten within 24 hours, failed ones too, also at the same moment', async () => {
  for (let nth = 0; nth < 9; nth += 1) await store().fail((await ask()).id, 'export_failed');
  const [one, two] = [await connector(), await connector()];
  const bodies = [{}, { connector_id: one }, { connector_id: two }];
  const answers = await Promise.all(bodies.map((body) => owner.post('/api/data-exports', body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429]);
  expect(answers.find(({ status }) => status === 429)!.body.detail).toEqual({ error: 'data_export_limit_reached' });
  expect((await owner.get('/api/data-exports').expect(200)).body.exports).toHaveLength(10);
});

test('owners and organization keys have them, members do not, and another organization sees nothing', async () => {
  const { id } = await ask();
  await complete(id);
  const member = await lab.member(owner.organizationId);
  const paths = ['/api/data-exports', `/api/data-exports/${id}`, `/api/data-exports/${id}/download`];
  for (const path of paths) expect((await member.get(path).expect(403)).body.detail.error).toBe('owner_required');
  await member.post('/api/data-exports').expect(403);
  const stranger = await lab.owner();
  for (const path of paths.slice(1)) expect((await stranger.get(path).expect(404)).body).toEqual({ detail: 'Not Found' });
  expect((await stranger.get('/api/data-exports').expect(200)).body).toEqual({ exports: [] });
});

test('where a key asks, the owners get a mail that says so', async () => {
  const { raw_key } = (await owner.post('/api/org-api-keys', { label: 'nightly' }).expect(201)).body;
  const key = lab.as(raw_key);
  expect(await ask({}, key)).toMatchObject({ requested_by: 'api-key:nightly' });
  const { items } = (await lab.operator.get(`/operator/outbox?to=${encodeURIComponent(owner.email)}`).expect(200)).body;
  const mail = items.find(({ subject }: { subject: string }) => subject.includes('exported'));
  expect([mail.text.includes('api-key nightly'), mail.links]).toEqual([true, []]);
});

test('a package that is gone or never was: 410', async () => {
  const failed = await ask();
  await store().fail(failed.id, 'export_failed');
  expect((await owner.get(`/api/data-exports/${failed.id}/download`).expect(410)).body.detail.error).toBe('data_export_failed');
  const { id } = await ask();
  await complete(id);
  const { url } = await linkOf(id);
  await owner.delete(`/api/connectors/${await connector()}`).expect(204);
  expect((await owner.get(`/api/data-exports/${id}/download`).expect(410)).body.detail.error).toBe('data_export_expired');
  expect((await download(pathOf(url)).expect(410)).body.toString()).toContain('data_export_expired');
  expect((await owner.get(`/api/data-exports/${id}`).expect(200)).body.status).toBe('expired');
});

test('a package whose time is over cannot be downloaded, though nobody has deleted it yet', async () => {
  const { id } = await ask();
  await complete(id);
  const { url } = await linkOf(id);
  await lab.pool.query("UPDATE data_exports SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);
  expect(String((await download(pathOf(url)).expect(410)).body)).toContain('data_export_expired');
  expect((await owner.get(`/api/data-exports/${id}/download`).expect(410)).body.detail.error).toBe('data_export_expired');
  expect((await owner.get(`/api/data-exports/${id}`).expect(200)).body.status).toBe('expired');
  const listed = (await owner.get('/api/data-exports').expect(200)).body.exports;
  expect(listed.find((one: { id: string }) => one.id === id).status).toBe('expired');
});

test('a link is good for its time and its package, in any instance', async () => {
  const [one, two] = [await ask(), await ask({ connector_id: await connector() })];
  await complete(one.id);
  await complete(two.id);
  const [link, other] = [pathOf((await linkOf(one.id)).url), pathOf((await linkOf(two.id)).url)];
  const query = link.slice(link.indexOf('?'));
  const refused = [
    link.slice(0, link.indexOf('?')), `${link}&more=1`, link.replace(/expires=\d/, 'expires=9'), link.slice(0, -2),
    other.slice(0, other.indexOf('?')) + query, `/api/data-exports/${randomUUID()}/package${query}`,
    `/api/data-exports/none/package${query}`,
  ];
  for (const path of refused)
    expect([path, (await download(path)).status, String((await download(path)).body)]).toEqual([
      path, 403, '{"detail":{"error":"link_invalid"}}',
    ]);
  await download(link).expect(200);
  lab.kv.now += 2_100;
  expect(String((await download(link).expect(410)).body)).toBe('{"detail":{"error":"link_expired"}}');
  await download(pathOf((await linkOf(one.id)).url)).expect(200);
});

test('who had a link and who used it is in the audit log, with the address; the query is in no log line', async () => {
  const { id } = await ask();
  await complete(id);
  const { url } = await linkOf(id);
  await download(pathOf(url)).expect(200);
  await download(`/api/data-exports/${id}/package?expires=1&signature=x`).expect(403);
  const { items } = (await owner.get(`/api/orgs/${owner.organizationId}/audit`).expect(200)).body;
  const entries = items.filter(({ action }: { action: string }) => action.startsWith('data_export.'));
  const facts = entries.map(({ action, actor, target, ip }: any) => [action, actor.label, target.id, ip !== null]);
  expect(facts).toEqual([
    ['data_export.download', 'a link', id, true], ['data_export.link', owner.email, id, true],
    ['data_export.request', owner.email, id, true],
  ]);
  const signature = new URL(url).searchParams.get('signature')!;
  expect(JSON.stringify(lab.lines)).not.toContain(signature.slice(0, 20));
});

test('while the store of packages is away nothing is queued: 503', async () => {
  const { id } = await ask();
  const key = await complete(id);
  const { url } = await linkOf(id);
  lab.takeBlobsAway(true);
  try {
    for (const sent of [owner.post('/api/data-exports'), owner.get(`/api/data-exports/${id}/download`)])
      expect((await sent.expect(503)).body.detail.error).toBe('data_export_unavailable');
    expect((await download(pathOf(url)).expect(503)).headers['retry-after']).toBe('10');
  } finally {
    lab.takeBlobsAway(false);
  }
  expect((await owner.get('/api/data-exports').expect(200)).body.exports).toHaveLength(1);
  expect(await lab.blobs.get(key)).toEqual(bytes);
});

import { createHash } from 'node:crypto';
import type { Source } from '@sluice/contracts';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const list: Source = { name: 'list', type: 'file', config: {} };
const ticks: Source = { name: 'ticks', type: 'scheduled', config: { schedule: '0 9 * * *' } };

async function start() {
  const owner = await lab.owner();
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body as { id: string };
  const path = `/api/connectors/${id}`;
  await owner.put(`${path}/draft`, { version: '3.0', entities: [], flows: [], sources: [list, ticks] }).expect(200);
  await owner.post(`${path}/publish`).expect(200);
  const files = `${path}/sources/list/files`;
  const upload = (content: string, filename = 'customers.csv', to = files) =>
    owner.post(to).attach('file', Buffer.from(content), filename);
  return { owner, id, path, files, upload };
}

test('an upload is stored and answered with its id; the same name and content again is the first file', async () => {
  const { owner, id, files, upload } = await start();
  const { body } = await upload('id\n1\n').expect(202);
  expect(body).toEqual({ file_id: expect.any(String), status: 'received' });
  expect((await upload('id\n1\n').expect(202)).body).toEqual(body);
  const other = (await upload('id\n2\n').expect(202)).body;
  expect(other.file_id).not.toBe(body.file_id);
  const shown = {
    id: body.file_id, filename: 'customers.csv', status: 'received', bytes: 5, rows_total: 0, rows_queued: 0, rows_discarded: 0,
    error: null, received_at: expect.any(String), completed_at: null,
  };
  const page = (await owner.get(files).expect(200)).body;
  expect(page).toMatchObject({ total: 2, items: [{ id: other.file_id }, { id: body.file_id }] });
  expect((await owner.get(`${files}?limit=1&offset=1`).expect(200)).body).toEqual({ total: 2, items: [shown] });
  expect((await owner.get(`${files}/${body.file_id}`).expect(200)).body).toEqual({ ...shown, discarded: [] });
  expect((await lab.blobs.get(`source-files/${id}/${body.file_id}`))?.toString()).toBe('id\n1\n');
  const tasks = "SELECT key, tenant FROM background_tasks WHERE worker = 'sources.files' AND key = $1";
  const { rows } = await lab.pool.query(tasks, [body.file_id]);
  expect(rows).toEqual([{ key: body.file_id, tenant: owner.organizationId }]);
  const { rows: [{ digest }] } = await lab.pool.query('SELECT digest FROM source_files WHERE id = $1', [body.file_id]);
  expect(digest).toBe(createHash('sha256').update('id\n1\n').digest('hex'));
});

test('discarded rows are shown with their lines', async () => {
  const { owner, files, upload } = await start();
  const { file_id: fileId } = (await upload('id\n1\n').expect(202)).body;
  await lab.pool.query(
    "INSERT INTO source_file_discards (file_id, line, reason) VALUES ($1, 7, 'it is not JSON'), ($1, 3, 'no cells')", [fileId]);
  expect((await owner.get(`${files}/${fileId}`).expect(200)).body.discarded).toEqual([
    { line: 3, reason: 'no cells' }, { line: 7, reason: 'it is not JSON' },
  ]);
});

test('an upload while the connector is paused is kept; for a source that is off, or of another type, it is refused', async () => {
  const { owner, path, files, upload } = await start();
  await owner.patch(path, { status: 'paused' }).expect(200);
  await upload('id\n1\n').expect(202);
  const refused = (await upload('id\n1\n', 'x', `${path}/sources/ticks/files`).expect(400)).body;
  expect(refused).toEqual({ detail: { error: 'source_takes_no_files' } });
  await upload('id\n1\n', 'x', `${path}/sources/none/files`).expect(404);
  await owner.get(`${path}/sources/ticks/files`).expect(400);
  await owner.get(`${files}/none`).expect(404);
  await owner.patch(`${path}/sources/list`, { enabled: false }).expect(200);
  expect((await upload('id\n3\n').expect(409)).body).toEqual({ detail: { error: 'source_disabled' } });
  const { owner: other } = await start();
  await other.get(files).expect(404);
});

test('a form without the file is refused; of a name only its last part counts', async () => {
  const { owner, files, upload } = await start();
  const { detail } = (await owner.post(files).field('other', 'x').expect(422)).body;
  expect(detail.map(({ type, loc }: { type: string; loc: string[] }) => `${type} ${loc.join('.')}`).sort())
    .toEqual(['extra_forbidden body.other', 'missing body.file']);
  await upload('id\n9\n', '../etc/Größe.csv').expect(202);
  expect((await owner.get(files)).body.items[0].filename).toBe('Größe.csv');
});

test('a body over 2 GiB is refused before it is read', async () => {
  const { owner, files } = await start();
  const refused = await owner.post(files).set('content-type', 'multipart/form-data; boundary=x')
    .set('content-length', String(3 * 1024 ** 3)).send('--x').expect(413);
  expect(refused.body.detail.error).toBe('payload_too_large');
  expect((await owner.get(files)).body.total).toBe(0);
});

test('nothing is kept while the blob store is away: 503', async () => {
  const { owner, files, upload } = await start();
  lab.takeBlobsAway(true);
  expect((await upload('id\n1\n').expect(503)).body).toEqual({ detail: { error: 'attachment_store_unavailable' } });
  lab.takeBlobsAway(false);
  expect((await owner.get(files)).body.total).toBe(0);
});

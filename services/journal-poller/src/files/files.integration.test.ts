import { randomUUID } from 'node:crypto';
import type { Source } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { type PollerLab, startPollerLab } from '../test-support/poller-lab';

let lab: PollerLab;
beforeAll(async () => { lab = await startPollerLab(); });
afterAll(() => lab.stop());

const list = (config: Record<string, unknown> = {}): Source => ({ name: 'list', type: 'file', config });
type Connector = Awaited<ReturnType<typeof lab.connector>>;

/** As an upload does. */
async function add({ id: connectorId, organizationId }: Connector, content: string | Buffer, filename = 'a.csv') {
  const id = randomUUID();
  const blobKey = `source-files/${connectorId}/${id}`;
  await lab.blobs.put(blobKey, Buffer.from(content as string));
  const file = { id, connectorId, organizationId, name: 'list', filename, digest: String(content).slice(0, 64), blobKey };
  return (await lab.files.add({ ...file, bytes: content.length }))!.file.id;
}
const ended = async (id: string) => {
  await until('the file has ended', async () => (await lab.files.find(id))!.completedAt !== null);
  return { ...(await lab.files.find(id))!, discarded: await lab.files.discarded(id, 100) };
};

test('each row is an event, ordered per record; bad rows are told of with line and reason, the rest goes on', async () => {
  const connector = await lab.connector(list({ external_id_path: '$.id', event_type_path: '$.kind' }));
  const id = await add(connector, 'id,kind\n1,a\n2\n3,\n1,b\n');
  expect(await ended(id)).toMatchObject({
    status: 'completed', rowsTotal: 4, rowsQueued: 2, rowsDiscarded: 2, error: null, blobKey: null,
    discarded: [
      { line: 3, reason: 'it has 1 cells, the heading line has 2' },
      { line: 4, reason: 'event_type: Field required at $.kind' },
    ],
  });
  expect(connector.events()).toMatchObject([
    { event_type: 'a', external_id: '1', source_type: 'file', payload: { id: '1', kind: 'a' } },
    { event_type: 'b', external_id: '1' },
  ]);
  const [first, second] = connector.events();
  expect(first!.lane).toBe(second!.lane);
  expect(first!.lane).toContain(':list:1');
  expect(await lab.blobs.get(`source-files/${connector.id}/${id}`)).toBeNull();
  expect(await connector.source('list')).toMatchObject({ lastError: null, lastEventAt: expect.any(Date) });
});

test('json and jsonl; the type without another one is <source>.row', async () => {
  const connector = await lab.connector(list({ format: 'jsonl' }));
  const file = await add(connector, '{"id":1}\nx\n{"id":2}\n', 'a.jsonl');
  expect(await ended(file)).toMatchObject({ rowsQueued: 2, rowsDiscarded: 1 });
  expect(connector.events().map(({ event_type: type, payload }) => [type, payload])).toEqual([
    ['list.row', { id: 1 }], ['list.row', { id: 2 }],
  ]);
  const other = await lab.connector(list({ format: 'json' }));
  expect(await ended(await add(other, '[{"id":1},{"id":2}]', 'a.json'))).toMatchObject({ rowsQueued: 2, rowsDiscarded: 0 });
});

test('a file with a heading twice fails, and its source says so', async () => {
  const connector = await lab.connector(list());
  expect(await ended(await add(connector, 'id,id\n1,2\n'))).toMatchObject({
    status: 'failed', error: "the heading 'id' is there twice", rowsTotal: 0,
  });
  expect(connector.events()).toEqual([]);
  expect((await connector.source('list')).lastError).toContain("'a.csv' failed");
});

test('the same name and content again is the first file; another name is another file', async () => {
  const connector = await lab.connector(list());
  const id = await add(connector, 'id\n1\n');
  await ended(id);
  expect(await add(connector, 'id\n1\n')).toBe(id);
  const other = await add(connector, 'id\n1\n', 'b.csv');
  expect(other).not.toBe(id);
  await ended(other);
  expect(connector.events()).toHaveLength(2);
});

test('a file waits while its connector is paused or its source is off', async () => {
  const connector = await lab.connector(list());
  await connector.setStatus('paused');
  const id = await add(connector, 'id\n1\n');
  const other = await lab.connector(list());
  await ended(await add(other, 'id\n1\n'));
  expect(await lab.files.find(id)).toMatchObject({ status: 'received' });
  await connector.setStatus('active');
  expect(await ended(id)).toMatchObject({ status: 'completed', rowsQueued: 1 });
});

test('a process that stops in the middle goes on behind the rows that were queued; no row is a second event', async () => {
  const connector = await lab.connector(list({ external_id_path: '$.id' }));
  const rows = Array.from({ length: 30_000 }, (_, at) => `${at}`);
  const id = await add(connector, `id\n${rows.join('\n')}\n`);
  await until('some rows are queued', async () => (await lab.files.find(id))!.rowsQueued > 0);
  await lab.restart();
  expect(await ended(id)).toMatchObject({ status: 'completed', rowsTotal: 30_000, rowsQueued: 30_000 });
  const ids = new Map(connector.events().map(({ event_id: event, external_id: row }) => [event, row]));
  expect(ids.size).toBe(30_000);
  expect(new Set(ids.values()).size).toBe(30_000);
}, 60_000);

test('a file of a source that ends with a publish fails', async () => {
  const connector = await lab.connector(list());
  await connector.enable('list', false);
  const id = await add(connector, 'id\n1\n');
  await connector.publish();
  expect(await ended(id)).toMatchObject({ status: 'failed', error: 'its source is not published any more' });
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@sluice/ports/testing';
import { type PollerLab, startPollerLab } from '../test-support/poller-lab';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-watched-')));
let lab: PollerLab;
beforeAll(async () => { lab = await startPollerLab({ SLUICE_FILE_ROOT: root }); });
afterAll(async () => {
  await lab.stop();
  rmSync(root, { recursive: true, force: true });
});

/** A connector whose source watches `drops` of its organization. */
async function start() {
  const connector = await lab.connector();
  const own = join(root, connector.organizationId);
  const folder = join(own, 'drops');
  const watch = () => connector.publish({
    name: 'list', type: 'file', config: { location: 'drops', external_id_path: '$.id' },
  });
  /** A file that nobody writes any more. */
  const drop = (name: string, content: string, to = folder): void => {
    writeFileSync(join(to, name), content);
    utimesSync(join(to, name), new Date(), new Date(Date.now() - 60_000));
  };
  const looked = async (): Promise<void> => connector.read('list', (await connector.source('list')).lastPollAt);
  const files = async () => (await lab.files.list({ connectorId: connector.id, name: 'list' }, { limit: 100, offset: 0 })).items;
  const ids = () => connector.events().map(({ external_id: id }) => id);
  const allEnded = () => until('all files have ended', async () =>
    (await files()).every(({ completedAt }) => completedAt !== null));
  return { connector, own, folder, watch, drop, looked, files, ids, allEnded };
}

test('each file of a folder is read once by its name and content, also by a process that knows nothing of it', async () => {
  const { allEnded, connector, drop, files, folder, ids, looked, watch } = await start();
  mkdirSync(folder, { recursive: true });
  drop('a.csv', 'id\n1\n');
  await watch();
  await until('it is read', () => ids().length === 1);
  drop('b.csv', 'id\n1\n');
  drop('a.csv', 'id\n1\n2\n');
  await until('they are read', () => ids().length === 4);
  await allEnded();
  await lab.restart();
  await looked();
  await looked();
  expect(ids()).toEqual(expect.arrayContaining(['1', '1', '1', '2']));
  expect((await files()).map(({ filename, status }) => `${filename} ${status}`).sort()).toEqual([
    'a.csv completed', 'a.csv completed', 'b.csv completed',
  ]);
  expect(await connector.source('list')).toMatchObject({ lastError: null, lastPollAt: expect.any(Date),
    lastEventAt: expect.any(Date) });
});

test('hidden files, folders, links and files that are still written are left alone', async () => {
  const { drop, files, folder, looked, own, watch } = await start();
  mkdirSync(join(folder, 'deeper'), { recursive: true });
  drop('secret.csv', 'id\n9\n', own);
  drop('.hidden.csv', 'id\n1\n');
  drop('inner.csv', 'id\n1\n', join(folder, 'deeper'));
  symlinkSync(join(own, 'secret.csv'), join(folder, 'link.csv'));
  writeFileSync(join(folder, 'growing.csv'), 'id\n1\n');
  utimesSync(join(folder, 'growing.csv'), new Date(), new Date(Date.now() + 1_500));
  await watch();
  await looked();
  expect((await files()).filter(({ filename }) => filename !== 'growing.csv')).toEqual([]);
});

test('a folder that is not there, or is a link, is the last error until it can be watched', async () => {
  const { connector, drop, folder, ids, own, watch } = await start();
  const other = await start();
  mkdirSync(other.folder, { recursive: true });
  other.drop('theirs.csv', 'id\n7\n');
  const lastError = async () => (await connector.source('list')).lastError;
  await watch();
  await until('it is told', async () =>
    (await lastError()) === `the organization's folder '${connector.organizationId}' does not exist`);
  mkdirSync(own, { recursive: true });
  await until('it is told', async () => (await lastError()) === "the folder 'drops' does not exist");
  symlinkSync(other.folder, folder);
  await until('it is told', async () => (await lastError())?.includes('link') === true);
  rmSync(folder);
  mkdirSync(folder);
  drop('a.csv', 'id\n1\n');
  await until('it is read', () => ids().length > 0);
  await until('it is told no more', async () => (await lastError()) === null);
  expect(ids()).toEqual(['1']);
});

test('nothing is taken while the connector is paused; what is there is taken afterwards', async () => {
  const { connector, drop, files, folder, ids, watch } = await start();
  mkdirSync(folder, { recursive: true });
  await connector.setStatus('paused');
  drop('a.csv', 'id\n1\n');
  await watch();
  const running = await start();
  mkdirSync(running.folder, { recursive: true });
  await running.watch();
  await running.looked();
  expect(await files()).toEqual([]);
  await connector.setStatus('active');
  await until('it is read', () => ids().length === 1);
});

test('a file in a state that is known is not read again by a process that starts later', async () => {
  const { connector, drop, files, ids, folder, watch } = await start();
  mkdirSync(folder, { recursive: true });
  drop('a.csv', 'id\n1\n');
  await watch();
  await until('it is read', () => ids().length === 1);
  // Whoever reads its content now takes it for another file.
  await lab.pool.query("UPDATE source_files SET digest = 'another' WHERE connector_id = $1", [connector.id]);
  await lab.restart();
  await connector.read('list', (await connector.source('list')).lastPollAt);
  expect((await files()).map(({ filename }) => filename)).toEqual(['a.csv']);
  // A later state is read, and its content is another one than the stored.
  drop('a.csv', 'id\n1\n2\n');
  await until('the new state is read', () => ids().length === 3);
});

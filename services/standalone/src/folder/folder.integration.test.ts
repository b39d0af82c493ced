import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimFolder, FolderTaken } from './claim-folder';
import { openDataFolder } from './data-folder';
import { readPrivateJson } from './private-json';

let root: string;
beforeEach(() => { root = mkdtempSync(join(tmpdir(), 'sluice-folder-')); });
afterEach(() => rmSync(root, { recursive: true }));

it('makes secrets once, for this user only', () => {
  const first = openDataFolder(join(root, 'deep', 'data'));
  const second = openDataFolder(join(root, 'deep', 'data'));
  expect(second).toEqual(first);
  expect(statSync(join(first.root, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(openDataFolder(join(root, 'other')).secrets).not.toEqual(first.secrets);
});

it('names the file that cannot be read', () => {
  const file = join(root, 'seed.json');
  expect(readPrivateJson(file)).toBeUndefined();
  writeFileSync(file, '{"half":');
  expect(() => readPrivateJson(file)).toThrow(file);
  expect(readFileSync(file, 'utf8')).toBe('{"half":');
});

it('lets one process work on a folder, and names it to the next', async () => {
  const release = await claimFolder(root);
  const second = claimFolder(root);
  await expect(second).rejects.toBeInstanceOf(FolderTaken);
  await expect(second).rejects.toThrow(`process ${process.pid}`);
  await release();
  await (await claimFolder(root))();
});

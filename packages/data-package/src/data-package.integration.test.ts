import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { packageCategories, packageFilePaths, type PackageFilePath, type PackageManifest } from '@sluice/contracts';
import type { ExportSnapshot, PluginCode, StoredPayload } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import archiver from 'archiver';
import { BadPackage, maskedValue, packageLines, PackageReader, type PackageToWrite, verifyPackage, writePackage } from './index';

const run = promisify(execFile);
let folder: string;
beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'data-package-')); });
afterEach(() => rm(folder, { recursive: true, force: true }));

const ids = { export: randomUUID(), organization: randomUUID(), connector: randomUUID(), plugin: randomUUID() };
const at = '2026-03-02T10:00:00.000Z';
const mapping = (externalId: string) => ({
  connector_id: ids.connector, entity_type: 'contact', external_id: externalId, crm_id: '7', portal_id: '1', created_at: at,
  updated_at: at,
});
const config = { version: '3.1', flows: [{ steps: [{ id: 'a', headers: { 'X-Shop': 's3cr3t' } }] }] };
const draft = { connector_id: ids.connector, base_version: 0, updated_at: at, updated_by: null, config };
const payload = { connector_id: ids.connector, event_id: 'evt_1', event_type: 'a', source_name: 'b', accepted_at: at };

interface Given {
  files?: Partial<Record<PackageFilePath, readonly object[]>>;
  plugins?: PluginCode[];
  stored?: StoredPayload[];
  lines?: (path: PackageFilePath) => AsyncIterable<Uint8Array>;
}

function snapshotOf({ files = {}, plugins = [], stored = [], lines }: Given): ExportSnapshot {
  return {
    connectorIds: [ids.connector],
    takenAt: new Date(at),
    estimate: async () => 0,
    lines: lines ?? ((path) => Readable.from((files[path] ?? []).map((line) => Buffer.from(`${JSON.stringify(line)}\n`)))),
    storedPayloads: () => Readable.from(stored),
    pluginCode: () => Readable.from(plugins),
    close: async () => undefined,
  };
}
const usual: Given = {
  files: {
    'identity_mappings.jsonl': [mapping('A-1'), mapping('B "2" \\ é')],
    'configuration/drafts.jsonl': [draft],
    'recorded_payloads.jsonl': [{ ...payload, payload: { a: 1 } }],
  },
  plugins: [
    { pluginId: ids.plugin, plugin: 'shop sync', kind: 'source', bytes: Buffer.from('export const a = 1;') },
    { pluginId: ids.plugin, plugin: 'shop sync', kind: 'bundle', bytes: Buffer.from('exports.handler = 1;') },
    { pluginId: 'ffff0000-other', plugin: 'shop_sync', kind: 'bundle', bytes: Buffer.from('exports.handler = 2;') },
  ],
  stored: [{ line: { ...payload, payload: null }, key: 'payloads/a' }, { line: { ...payload, payload: null }, key: 'gone' }],
};
const write = (given: Given, over: Partial<PackageToWrite> = {}) => writePackage({
  snapshot: snapshotOf(given), exportId: ids.export, organizationId: ids.organization, connectorId: null,
  payload: async (key) => (key === 'gone' ? null : Buffer.from('{"large":true}')), written: () => undefined, ...over,
});
async function written(given = usual, over: Partial<PackageToWrite> = {}): Promise<{ path: string; manifest: PackageManifest }> {
  const path = join(folder, 'export.zip');
  const { archive, finished } = write(given, over);
  await writeFile(path, archive);
  return { path, manifest: (await finished).manifest };
}
const problemsOf = async (path: string): Promise<string[]> => {
  const reader = await PackageReader.open(path);
  const problems: string[] = [];
  for await (const file of verifyPackage(reader)) problems.push(...file.problems.map((one) => `${file.path} ${one}`));
  reader.close();
  return problems;
};
const refusal = (path: string) => problemsOf(path).then(
  (problems) => { throw new Error(`taken: ${problems.join()}`); }, (error: unknown) => error as Error,
);

test('a package has every file, the manifest names what is in it, and it is what its manifest says', async () => {
  const rows: number[] = [];
  const { path, manifest } = await written(usual, { written: (done) => void rows.push(done) });
  expect(manifest).toMatchObject({
    format_version: 1, export_id: ids.export, organization_id: ids.organization, scope: 'organization',
    connector_ids: [ids.connector], generated_at: at,
  });
  expect(manifest.categories.map(({ name }) => name)).toEqual(packageCategories);
  const files = manifest.categories.flatMap((category) => category.files);
  expect(files.map((file) => file.path)).toEqual(expect.arrayContaining([...packageFilePaths]));
  expect(files.find((file) => file.path === 'identity_mappings.jsonl')).toMatchObject({ format: 'jsonl', records: 2 });
  expect(files.find((file) => file.path === 'conflicts.jsonl')).toMatchObject({ records: 0, bytes: 0 });
  expect(files.filter(({ plugin }) => plugin !== undefined).map((file) => [file.path, file.format, file.bytes])).toEqual([
    ['plugins/shop_sync/source.ts', 'typescript', 19], ['plugins/shop_sync/bundle.js', 'javascript', 20],
    ['plugins/shop_sync-ffff0000/bundle.js', 'javascript', 20],
  ]);
  expect(manifest.exclusions.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['credentials', 'event_source_secrets', 'organization_api_keys']),
  );
  expect(rows.at(-1)).toBe(6);
  expect(await problemsOf(path)).toEqual([]);
});

test('its lines come back, payloads of the blob store among them, and secrets do not', async () => {
  const { path } = await written();
  const reader = await PackageReader.open(path);
  const lines = async (file: PackageFilePath) => {
    const all: unknown[] = [];
    for await (const line of packageLines(reader, file)) all.push(line);
    return all;
  };
  expect(await lines('identity_mappings.jsonl')).toEqual(usual.files!['identity_mappings.jsonl']);
  expect(await lines('recorded_payloads.jsonl')).toEqual(
    [{ a: 1 }, { large: true }, null].map((one) => ({ ...payload, payload: one })),
  );
  expect(await lines('configuration/drafts.jsonl')).toMatchObject([
    { config: { flows: [{ steps: [{ headers: { 'X-Shop': maskedValue } }] }] } },
  ]);
  reader.close();
});

test('Info-ZIP and Python open it', async () => {
  const { path } = await written();
  await run('unzip', ['-tq', path]);
  const script = 'import sys, zipfile, json; z = zipfile.ZipFile(sys.argv[1]); bad = z.testzip(); '
    + 'print(json.dumps([bad, json.loads(z.read("manifest.json"))["format_version"], len(z.namelist())]))';
  const { stdout } = await run('python3', ['-c', script, path]);
  expect(JSON.parse(stdout)).toEqual([null, 1, packageFilePaths.length + 4]);
});

test('is written no faster than it is read, in flat memory', async () => {
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      given += 1;
      yield Buffer.from(`${JSON.stringify(mapping(randomBytes(30_000).toString('hex')))}\n`);
    }
  }
  const none = (): AsyncIterable<Uint8Array> => Readable.from([]);
  const { archive, finished } = write({ lines: (path) => (path === 'identity_mappings.jsonl' ? endless() : none()) });
  await until('the writing waits for its reader', async () => {
    const before = given;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return before > 0 && given === before;
  });
  expect(given).toBeLessThan(400);
  archive.destroy();
  await expect(finished).rejects.toThrow('closed before its end');
});

test('breaks with what breaks it: its data, or who counts its rows', async () => {
  const away = new Error('the database is away');
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${JSON.stringify(mapping('A-1'))}\n`);
    throw away;
  }
  const failing = write({ lines: (path) => (path === 'identity_mappings.jsonl' ? broken() : Readable.from([])) });
  await expect(buffer(failing.archive)).rejects.toBe(away);
  await expect(failing.finished).rejects.toBe(away);
  const stop = new Error('stop');
  const stopped = write(usual, { written: () => { throw stop; } });
  await expect(buffer(stopped.archive)).rejects.toBe(stop);
});

/** An archive of these files. */
async function archiveOf(files: Record<string, string | Buffer>, change?: (archive: archiver.Archiver) => void): Promise<string> {
  const path = join(folder, 'made.zip');
  const archive = archiver('zip', { zlib: { level: 9 } });
  for (const [name, bytes] of Object.entries(files)) archive.append(bytes, { name });
  change?.(archive);
  void archive.finalize();
  await writeFile(path, archive);
  return path;
}
/** The same archive with one text for another of the same length. */
async function edited(path: string, from: string, to: string): Promise<string> {
  const bytes = (await readFile(path)).toString('latin1');
  expect(bytes).toContain(from);
  await writeFile(path, Buffer.from(bytes.replaceAll(from, to), 'latin1'));
  return path;
}
/** The parts of a good package, to be changed. */
async function parts(): Promise<Record<string, Buffer>> {
  const { path, manifest } = await written({});
  const reader = await PackageReader.open(path);
  const found: Record<string, Buffer> = { 'manifest.json': Buffer.from(JSON.stringify(manifest)) };
  for (const file of reader.files.keys()) found[file] = await buffer(Readable.from(reader.bytes(file)));
  reader.close();
  return found;
}
const manifestWith = async (change: (manifest: any) => void): Promise<Record<string, Buffer>> => {
  const made = await parts();
  const manifest = JSON.parse(String(made['manifest.json']));
  change(manifest);
  return { ...made, 'manifest.json': Buffer.from(JSON.stringify(manifest)) };
};

describe('a hostile or broken archive is refused', () => {
  test.each<[string, string, () => Promise<string>]>([
    ['nothing', 'there is no such file', async () => join(folder, 'missing.zip')],
    ['another file', 'no ZIP archive', async () => {
      await writeFile(join(folder, 'text.zip'), 'hello');
      return join(folder, 'text.zip');
    }],
    ['an archive without a manifest', 'no package', () => archiveOf({ 'a.txt': 'a' })],
    ['a manifest that is no JSON', 'no JSON', () => archiveOf({ 'manifest.json': '{' })],
    ['a later format', 'this version reads 1', async () => archiveOf(await manifestWith((one) => { one.format_version = 2; }))],
    ['a manifest without its fields', '/scope', async () => archiveOf(await manifestWith((one) => { one.scope = 'all'; }))],
    ['a name that leaves the folder', 'invalid relative path', async () =>
      edited(await archiveOf({ ...(await parts()), 'xx/evil.txt': 'a' }), 'xx/evil.txt', '../evil.txt')],
    ['an absolute name', 'absolute path', async () =>
      edited(await archiveOf({ ...(await parts()), 'x/evil.txt': 'a' }), 'x/evil.txt', '//evil.txt')],
    ['a link', 'is a link', async () => archiveOf(await parts(), (archive) => void archive.symlink('link', '/etc/passwd'))],
    ['a file that is there twice', 'twice', async () =>
      archiveOf(await parts(), (archive) => void archive.append('b', { name: 'manifest.json' }))],
    ['a file that unpacks to a thousand times its size', 'times its size', async () =>
      archiveOf({ ...(await parts()), 'bomb.txt': Buffer.alloc(20_000_000) })],
    ['a file that the manifest names twice', 'twice', async () =>
      archiveOf(await manifestWith((one) => one.categories[0].files.push(one.categories[0].files[0])))],
    ['a file that only the manifest has', 'is missing', async () => {
      const { 'conflicts.jsonl': _gone, ...rest } = await parts();
      return archiveOf(rest);
    }],
    ['a manifest that leaves a file out', 'does not name', async () =>
      archiveOf(await manifestWith((one) => { one.categories[0].files = []; }))],
  ])('%s', async (_, words, make) => {
    const error = await refusal(await make());
    expect(error).toBeInstanceOf(BadPackage);
    expect(error.message).toContain(words);
  });

  test('one that unpacks to more than it says is not unpacked to its end', async () => {
    const path = await archiveOf({ ...(await parts()), 'late.txt': 'a'.repeat(1_000) });
    const bytes = await readFile(path);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(1_000);
    const at = bytes.lastIndexOf(size);
    bytes.writeUInt32LE(10, at);
    await writeFile(path, bytes);
    const reader = await PackageReader.open(path);
    await expect(buffer(Readable.from(reader.bytes('late.txt')))).rejects.toThrow('too many bytes');
    reader.close();
  });

  test('bounds hold for all files together', async () => {
    const { path } = await written();
    await expect(PackageReader.open(path, { entries: 5, bytes: 1e9, ratio: 500 })).rejects.toThrow('more than 5 files');
    await expect(PackageReader.open(path, { entries: 500, bytes: 100, ratio: 500 })).rejects.toThrow('more than 100 bytes');
  });
});

describe('a package that was changed', () => {
  const line = (over: object): string => `${JSON.stringify({ ...mapping('A-1'), ...over })}\n`;
  test.each([
    ['a line more', line({}), [/ bytes/, / 1 lines, the manifest says 0/, /SHA-256/]],
    ['a line that is no JSON', 'x\n', [/line 1 is no JSON/, / bytes/, / lines/, /SHA-256/]],
    ['a line with a wrong value', line({ crm_id: 7 }), [/line 1\/crm_id: must be string/, / bytes/, / lines/, /SHA-256/]],
    ['a line with a field too many', line({ more: 1 }), [/line 1: must NOT have additional properties/, / bytes/, / lines/,
      /SHA-256/]],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0x0a]), [/not UTF-8/]],
  ])('is told for %s', async (_, bytes, expected) => {
    const path = await archiveOf({ ...(await parts()), 'identity_mappings.jsonl': bytes });
    const problems = await problemsOf(path);
    expect(problems).toHaveLength(expected.length);
    expected.forEach((words, index) => expect(problems[index]).toMatch(words));
  });
});

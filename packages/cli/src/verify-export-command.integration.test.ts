import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { writePackage } from '@sluice/data-package';
import { verifyExportCommand } from './verify-export-command';

let folder: string;
beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'sluice-verify-')); });
afterEach(() => rm(folder, { recursive: true }));
const at = '2026-03-02T10:00:00.000Z';

/** A package with one mapping. */
async function packageFile(): Promise<string> {
  const connector = randomUUID();
  const times = { created_at: at, updated_at: at };
  const line = { connector_id: connector, entity_type: 'contact', external_id: 'A-1', crm_id: '7', portal_id: '1', ...times };
  const mappings = [Buffer.from(`${JSON.stringify(line)}\n`)];
  const lines = (path: string) => Readable.from(path === 'identity_mappings.jsonl' ? mappings : []);
  const { archive, finished } = writePackage({
    snapshot: {
      connectorIds: [connector], takenAt: new Date(at), estimate: async () => 0, lines, storedPayloads: () => Readable.from([]),
      pluginCode: () => Readable.from([]), close: async () => undefined,
    },
    exportId: randomUUID(), organizationId: randomUUID(), connectorId: null, payload: async () => null, written: () => undefined,
  });
  const path = join(folder, 'package.zip');
  await writeFile(path, archive);
  await finished;
  return path;
}

async function verified(path: string): Promise<[code: number, out: string]> {
  let told = '';
  const code = await verifyExportCommand({ path, json: false }, (text) => { told += text; });
  return [code, told];
}

test('tells that a package is whole, file by file', async () => {
  const [code, out] = await verified(await packageFile());
  expect([code, out]).toEqual([0, expect.stringContaining('✓ identity_mappings.jsonl  1 records')]);
});

test('tells that a package was changed', async () => {
  const path = await packageFile();
  const bytes = await readFile(path);
  await writeFile(path, bytes.subarray(0, bytes.length - 40));
  expect((await verified(path))[0]).toBe(1);
});

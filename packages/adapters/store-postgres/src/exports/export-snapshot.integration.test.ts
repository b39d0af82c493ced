import { randomUUID } from 'node:crypto';
import { type PackageFilePath, packageFilePaths, packageFiles } from '@sluice/contracts';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import { createExportSource } from './open-export-snapshot';
import {
  database, pool, organizationId, connectorId, config, organization, connector, linesOf, read, at, nasty, event, outcome,
  mapping, everything, shareExportLab,
} from './test-support/export-lab';

const ajv = addFormats(new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allowUnionTypes: true }));
shareExportLab();

test('every line fits the schema of its file, whatever texts it holds', async () => {
  await everything();
  const snapshot = await createExportSource(database.url).open({ organizationId, connectorId: null });
  expect(snapshot.connectorIds).toEqual([connectorId]);
  const counts: Record<string, number> = {};
  for (const path of packageFilePaths) {
    const check = ajv.compile(packageFiles[path].schema);
    const lines = await linesOf(snapshot, path);
    for (const line of lines) expect([path, check(line), check.errors]).toEqual([path, true, null]);
    counts[path] = lines.length;
  }
  await snapshot.close();
  expect(Object.entries(counts).filter(([, count]) => count === 1).map(([path]) => path)).toEqual([
    'connectors.jsonl', 'configuration/versions.jsonl', 'configuration/drafts.jsonl', 'identity_mappings.jsonl',
    'sync_history.jsonl', 'recorded_payloads.jsonl', 'conflicts.jsonl', 'bulk_imports/jobs.jsonl', 'bulk_imports/rows.jsonl',
    'verifications/jobs.jsonl', 'verifications/rows.jsonl', 'file_sources/files.jsonl', 'file_sources/discarded_rows.jsonl',
    'usage/monthly_events.jsonl', 'usage/daily_counters.jsonl',
  ]);
  expect(counts['plugins/plugins.jsonl']).toBe(0);
});

test('values come as they were stored', async () => {
  await everything();
  expect(await read('identity_mappings.jsonl')).toEqual([{
    connector_id: connectorId, entity_type: 'contact', external_id: nasty, crm_id: '7', portal_id: '1', created_at: at,
    updated_at: at,
  }]);
  expect(await read('sync_history.jsonl')).toMatchObject([{ error: nasty, created_at: at, crm_id: null, replayable: true }]);
  expect(await read('recorded_payloads.jsonl')).toMatchObject([{ accepted_at: at, payload: { note: nasty, nul: '\0' } }]);
  expect(await read('configuration/versions.jsonl')).toMatchObject([{ version: 1, is_active: true, published_at: at }]);
  expect(await read('bulk_imports/jobs.jsonl')).toMatchObject([{ status: 'held', rows_held: 1, completed_at: null }]);
  expect(await read('bulk_imports/rows.jsonl')).toMatchObject([{ line: 2, external_id: nasty, status: 'held' }]);
  expect(await read('verifications/rows.jsonl')).toMatchObject([{ external_id: nasty, properties: [{ name: 'city' }] }]);
  expect(await read('file_sources/files.jsonl')).toMatchObject([
    { source: 'stock', filename: nasty, status: 'completed', rows_total: 3, rows_queued: 2, rows_discarded: 1, received_at: at },
  ]);
  expect(await read('file_sources/discarded_rows.jsonl')).toMatchObject([{ source: 'stock', line: 4, reason: nasty, raw: null }]);
  expect(await read('usage/monthly_events.jsonl')).toEqual([{ month: '2026-03', events: 1 }]);
  expect(await read('usage/daily_counters.jsonl')).toEqual([
    { day: '2026-03-02', connector_id: connectorId, source: 'shop', events: 1 },
  ]);
});

test('a draft that was never published has no base version', async () => {
  await pool.query("INSERT INTO drafts (connector_id, config) VALUES ($1, '{}')", [connectorId]);
  expect(await read('configuration/drafts.jsonl')).toMatchObject([{ connector_id: connectorId, base_version: null }]);
});

test('a record that has since been completed is not replayable', async () => {
  await outcome(connectorId, { event_id: 'evt_2' });
  await outcome(connectorId, { event_id: 'evt_2', run: 'replay-1', status: 'completed', error: null, replayable: false });
  const lines = await read('sync_history.jsonl');
  expect(lines.map(({ run, replayable }) => [run, replayable]).sort()).toEqual([['first', false], ['replay-1', false]]);
});

test('holds what its scope has: no deleted connector, no other organization, or one connector alone', async () => {
  const [second, deleted] = [await connector(), await connector()];
  for (const one of [connectorId, second, deleted, await connector(await organization())]) await mapping(one, 'A-1');
  await config().connectors.delete(organizationId, deleted);
  const ids = async (scope: string | null) =>
    (await read('identity_mappings.jsonl', scope)).map((line) => line['connector_id']).sort();
  expect([await ids(null), await ids(second), await ids(deleted)]).toEqual([[connectorId, second].sort(), [second], []]);
});

test('sees one moment, however long it is read', async () => {
  await mapping(connectorId, 'before');
  const snapshot = await createExportSource(database.url).open({ organizationId, connectorId: null });
  await mapping(connectorId, 'after');
  await config().connectors.delete(organizationId, connectorId);
  expect(await linesOf(snapshot, 'identity_mappings.jsonl')).toMatchObject([{ external_id: 'before' }]);
  expect(await linesOf(snapshot, 'connectors.jsonl')).toHaveLength(1);
  await snapshot.close();
});

test('names the payloads that lie in the blob store, without replays', async () => {
  const id = await event(connectorId, { ref: 'payloads/a' });
  await event(connectorId, { ref: 'payloads/b', run: 'replay-1' });
  expect(await read('usage/monthly_events.jsonl')).toEqual([{ month: '2026-03', events: 1 }]);
  const snapshot = await createExportSource(database.url).open({ organizationId, connectorId: null });
  const stored: unknown[] = [];
  for await (const one of snapshot.storedPayloads()) stored.push(one);
  await snapshot.close();
  const line = { connector_id: connectorId, event_id: id, event_type: 'order', source_name: 'shop', accepted_at: at };
  expect(stored).toEqual([{ line: { ...line, payload: null }, key: 'payloads/a' }]);
});

test('holds neither history nor payloads past their retention', async () => {
  await everything();
  for (const table of ['bulk_imports', 'verifications'])
    await pool.query(`UPDATE ${table} SET completed_at = $1 WHERE connector_id = $2`, [at, connectorId]);
  const ageS = (Date.now() - Date.parse(at)) / 1000;
  const [dayLess, dayMore] = [ageS - 86_400, ageS + 86_400];
  const lines = async (path: PackageFilePath, historyS: number, payloadS: number) =>
    (await read(path, null, { historyS, payloadS })).length;
  expect(await lines('recorded_payloads.jsonl', dayMore, dayMore)).toBe(1);
  expect(await lines('recorded_payloads.jsonl', dayMore, dayLess)).toBe(0);
  expect(await lines('recorded_payloads.jsonl', dayLess, dayMore)).toBe(0);
  const history = ['sync_history', 'conflicts', 'bulk_imports/jobs', 'bulk_imports/rows', 'verifications/jobs',
    'verifications/rows'] as const;
  for (const name of history) {
    expect(await lines(`${name}.jsonl`, dayMore, dayLess)).toBeGreaterThan(0);
    expect([name, await lines(`${name}.jsonl`, dayLess, dayLess)]).toEqual([name, 0]);
  }
});

test('estimates its lines, and may be closed in the middle of a file', async () => {
  for (let nth = 0; nth < 20; nth += 1) await mapping(connectorId, `A-${nth}`);
  await pool.query('ANALYZE identity_mappings');
  const snapshot = await createExportSource(database.url).open({ organizationId, connectorId: null });
  expect(await snapshot.estimate()).toBeGreaterThanOrEqual(10);
  for await (const chunk of snapshot.lines('identity_mappings.jsonl')) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  await snapshot.close();
});

/** A plugin with code, and values that it stored for connectors, one of them past its end. */
async function plugin(of: string, name: string, connectors: readonly string[]): Promise<string> {
  const id = randomUUID();
  await pool.query(
    `INSERT INTO plugins (id, organization_id, name, status, capabilities, live_version, bundle_sha256, source_code, last_deployed_at,
       created_at, updated_at) VALUES ($1, $2, $3, 'live', $4, 2, 'last', $5, $6, $6, $6)`,
    [id, of, name, '{"store":["read"]}', 'export const a = 1;\n', at],
  );
  await pool.query(
    `INSERT INTO plugin_bundles (plugin_id, sha256, bundle) VALUES ($1, 'last', 'exports.handler = 1;'), ($1, 'before', 'old')`,
    [id],
  );
  for (const connectorOf of connectors)
    await pool.query(
      `INSERT INTO plugin_storage (connector_id, plugin_id, key, value, expires_at)
       VALUES ($1, $2, $3, $4, NULL), ($1, $2, 'later', '1', now() + interval '1 hour'),
       ($1, $2, 'gone', '1', now() - interval '1 s')`,
      [connectorOf, id, nasty, `{"note": ${JSON.stringify(nasty)},\n "nul": "\\u0000"}`],
    );
  return id;
}

test('holds plugins with their code, and what they stored until it ends', async () => {
  const id = await plugin(organizationId, nasty, [connectorId]);
  const lines = { plugins: await read('plugins/plugins.jsonl'), storage: await read('plugins/storage.jsonl') };
  for (const [path, found] of [['plugins/plugins.jsonl', lines.plugins], ['plugins/storage.jsonl', lines.storage]] as const) {
    const check = ajv.compile(packageFiles[path].schema);
    for (const line of found) expect([path, check(line), check.errors]).toEqual([path, true, null]);
  }
  expect(lines.plugins).toEqual([{
    id, name: nasty, status: 'live', capabilities: { store: ['read'] }, staging_version: null, live_version: 2,
    bundle_sha256: 'last', has_source: true, has_bundle: true, last_deployed_at: at, created_at: at, updated_at: at,
  }]);
  expect(lines.storage.sort((one, other) => String(one['key']).localeCompare(String(other['key'])))).toEqual([
    { connector_id: connectorId, plugin: nasty, key: 'later', value: 1 },
    { connector_id: connectorId, plugin: nasty, key: nasty, value: { note: nasty, nul: '\0' } },
  ]);
  expect(await codeOf(null)).toEqual([
    [id, nasty, 'source', 'export const a = 1;\n'], [id, nasty, 'bundle', 'exports.handler = 1;'],
  ]);
});

async function codeOf(scope: string | null): Promise<string[][]> {
  const snapshot = await createExportSource(database.url).open({ organizationId, connectorId: scope });
  const code: string[][] = [];
  for await (const { pluginId, plugin: name, kind, bytes } of snapshot.pluginCode())
    code.push([pluginId, name, kind, Buffer.from(bytes).toString()]);
  await snapshot.close();
  return code;
}

test('of one connector it holds the plugins that its versions name or that stored something for it', async () => {
  const second = await connector();
  const [stored] = [await plugin(organizationId, 'stored', [connectorId]), await plugin(organizationId, 'unused', [])];
  const named = await plugin(organizationId, 'named', [second]);
  await plugin(await organization(), 'foreign', []);
  await pool.query(
    `INSERT INTO versions (connector_id, version, config, flow_index, published_by, published_at) VALUES ($1, 1, '{}', '[]', 'a', $2)`,
    [connectorId, at],
  );
  await pool.query(
    `INSERT INTO version_plugins (connector_id, version, logical_name, plugin_id, function_arn, function_version, capabilities, origin)
     VALUES ($1, 1, 'named', $2, 'arn', '2', '{}', 'live')`, [connectorId, named],
  );
  const names = async (scope: string | null) => (await read('plugins/plugins.jsonl', scope)).map(({ name }) => name).sort();
  expect([await names(null), await names(connectorId), await names(second)]).toEqual([
    ['named', 'stored', 'unused'], ['named', 'stored'], ['named'],
  ]);
  expect(new Set((await codeOf(connectorId)).map(([id]) => id))).toEqual(new Set([stored, named]));
  expect((await read('plugins/storage.jsonl', connectorId)).map((line) => line['connector_id'])).toEqual([connectorId,
    connectorId]);
});

test('a database that is away is an outage', async () => {
  const source = createExportSource('postgresql://postgres@127.0.0.1:1/nowhere');
  await expect(source.open({ organizationId, connectorId: null })).rejects.toMatchObject({ name: 'StoreUnavailable' });
});

import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { PackageFilePath } from '@sluice/contracts';
import { type ExportSnapshot, keptForEver } from '@sluice/ports';
import { goodAnswer, newConnector } from '@sluice/ports/testing';
import { preparedDatabase, type TestDatabase } from '@sluice/testkit';
import type { Pool } from 'pg';
import { createConfigStore } from '../../config';
import { createPool } from '../../create-pool';
import { createPrisma } from '../../create-prisma';
import { migrate } from '../../migrations/migrate';
import { createExportSource } from '../open-export-snapshot';

export let database: TestDatabase;
export let pool: Pool;
let prisma: ReturnType<typeof createPrisma>;
export let organizationId: string;
export let connectorId: string;
/** One database for all tests of a file, with an organization and a connector for each test. */
export function shareExportLab(): void {
  beforeAll(async () => {
    database = await preparedDatabase('migrated', migrate);
    pool = createPool(database.url);
    prisma = createPrisma(pool);
  });
  afterAll(async () => {
    await prisma.$disconnect();
    await pool.end();
    await database.drop();
  });
  beforeEach(async () => {
    organizationId = await organization();
    connectorId = await connector();
  });
}

export const config = () => createConfigStore(prisma);
export async function organization(): Promise<string> {
  const account = { email: `${randomUUID()}@a.example`, passwordHash: 'h', organizationName: 'Shop', tier: 'pro' as const };
  return goodAnswer(await config().accounts.create(account)).organizationId;
}
export const connector = async (of = organizationId): Promise<string> =>
  goodAnswer(await config().connectors.create(newConnector(of, { name: 'Shop "A"' }))).connector.id;

export const linesOf = async (snapshot: ExportSnapshot, path: PackageFilePath): Promise<Record<string, unknown>[]> => {
  const text = String(await buffer(Readable.from(snapshot.lines(path))));
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text.split('\n').slice(0, -1).map((line) => JSON.parse(line) as Record<string, unknown>);
};
export const read = async (path: PackageFilePath, scope: string | null = null, retention = keptForEver) => {
  const snapshot = await createExportSource(database.url, retention).open({ organizationId, connectorId: scope });
  try {
    return await linesOf(snapshot, path);
  } finally {
    await snapshot.close();
  }
};
export const at = '2026-03-02T10:00:00.123Z';
export const nasty = 'line\nbreak\r, \\n "quoted" \u0001\u0002 {é} 💥';

interface Payload { payload?: string; ref?: string | null; run?: string }
export const event = async (of: string, { payload, ref = null, run = 'first' }: Payload) => {
  const id = `evt_${randomUUID()}`;
  await pool.query(
    `INSERT INTO event_index (event_id, entity_index, run, accepted_at, entities_total, organization_id, connector_id, source_name,
       event_type, external_id, lane, kind, aliases, payload_ref)
     VALUES ($1, 0, $2, $3, 1, $4, $5, 'shop', 'order', 'A-1', 'lane', 'live', '{}', $6)`,
    [id, run, at, organizationId, of, ref],
  );
  if (payload !== undefined)
    await pool.query(
      `INSERT INTO event_payloads (event_id, entity_index, run, accepted_at, payload) VALUES ($1, 0, $2, $3, $4)`,
      [id, run, at, payload],
    );
  return id;
};
export const outcome = async (of: string, values: Record<string, unknown> = {}) => {
  const row = {
    id: randomUUID(), created_at: at, organization_id: organizationId, connector_id: of, event_id: 'evt_1', entity_index: 0,
    run: 'first', source_name: 'shop', event_type: 'order', status: 'failed', error: nasty, attempts: 1, replayable: true,
    completed_at: at, steps: '[]', ...values,
  };
  const names = Object.keys(row);
  const sql = `INSERT INTO sync_events (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`;
  await pool.query(sql, Object.values(row));
  return row;
};
export const mapping = (of: string, externalId: string) => pool.query(
  `INSERT INTO identity_mappings (connector_id, entity, external_id, portal_id, object_type, crm_id, binding_epoch, created_at, updated_at)
   VALUES ($1, 'contact', $2, '1', 'contacts', '7', 1, $3, $3)`, [of, externalId, at],
);

export async function everything(): Promise<void> {
  await pool.query(`INSERT INTO drafts (connector_id, config, base_version, updated_by) VALUES ($1, $2, 1, 'ada')`, [
    connectorId, `{"version": "3.1",\n "entities": []}`,
  ]);
  await pool.query(
    `INSERT INTO versions (connector_id, version, config, flow_index, published_by, published_at) VALUES ($1, 1, $2, '[]', 'ada', $3)`,
    [connectorId, `{"version":"3.1"}`, at],
  );
  await pool.query('UPDATE connectors SET active_version = 1 WHERE id = $1', [connectorId]);
  await mapping(connectorId, nasty);
  await outcome(connectorId);
  await event(connectorId, { payload: `{"note": ${JSON.stringify(nasty)},\n "nul": "\\u0000"}` });
  await pool.query(
    `INSERT INTO write_conflicts (id, connector_id, entity_name, external_id, crm_id, property, source_value, winner, created_at)
     VALUES ($1, $2, 'contact', 'A-1', '7', 'city', $3, 'source', $4)`, [randomUUID(), connectorId, nasty, at],
  );
  await jobs();
  await sourceFile();
}

async function sourceFile(): Promise<void> {
  const id = randomUUID();
  await pool.query(
    `INSERT INTO source_files (id, connector_id, source_name, filename, digest, bytes, status, rows_total, rows_queued, rows_discarded,
       received_at)
     VALUES ($1, $2, 'stock', $3, 'd', 10, 'completed', 3, 2, 1, $4)`, [id, connectorId, nasty, at],
  );
  await pool.query('INSERT INTO source_file_discards (file_id, line, reason) VALUES ($1, 4, $2)', [id, nasty]);
}

/** An import with a row that waits, as nobody sees it in its columns, and a verification with a row that was not looked at. */
async function jobs(): Promise<void> {
  const [imported, receiving, verification] = [randomUUID(), randomUUID(), randomUUID()];
  for (const [id, status] of [[imported, 'held'], [receiving, 'receiving']])
    await pool.query(
      `INSERT INTO bulk_imports (id, organization_id, connector_id, entity, event_type, request_id, status, rows_total, created_at)
       VALUES ($1, $2, $3, 'contact', 'contact_synced', 'r', $4, 1, $5)`, [id, organizationId, connectorId, status, at],
    );
  for (const id of [imported, receiving])
    await pool.query(
      `INSERT INTO bulk_import_rows (import_id, line, external_id, properties, event_id, status, turn)
       VALUES ($1, 2, $2, '{}', 'evt_1', 'pending', 1)`, [id, nasty],
    );
  await pool.query(
    `INSERT INTO verifications (id, organization_id, connector_id, entity, request, created_at)
     VALUES ($1, $2, $3, 'contact', '{}', $4)`, [verification, organizationId, connectorId, at],
  );
  await pool.query(
    `INSERT INTO verification_rows (verification_id, n, external_id, status, properties)
     VALUES ($1, 1, $2, 'mismatched', $3), ($1, 2, 'A-2', NULL, '[]')`,
    [verification, nasty, JSON.stringify([{ name: 'city', expected: nasty, actual: null }])],
  );
}

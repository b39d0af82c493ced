import { randomUUID } from 'node:crypto';
import { keptForEver, type ReplayJob } from '@sluice/ports';
import { preparedDatabase } from '@sluice/testkit';
import type { Pool, PoolClient } from 'pg';
import { createPool } from '../create-pool';
import { keptRows } from '../kept-rows';
import { migrate } from '../migrations/migrate';
import { replayCandidates } from './replay-candidates';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  const database = await preparedDatabase('migrated', migrate);
  pool = createPool(database.url);
  close = async () => {
    await pool.end();
    await database.drop();
  };
});
afterAll(() => close());

/** $1: connector, $2: records, $3: characters of each payload. */
const statements = [
  `INSERT INTO sync_events (id, created_at, organization_id, connector_id, event_id, entity_index, run, source_name, event_type,
    status, attempts, replayable, completed_at, steps)
   SELECT gen_random_uuid(), now() - interval '1 hour' + n * interval '1 millisecond', $1::uuid, $1::uuid, 'evt_' || ($1::uuid)::text || n, 0, 'first',
    'event_api', 'sync', 'failed', 1, true, now(), '[]' FROM generate_series(1, $2::int) n WHERE $3::int > 0`,
  `INSERT INTO event_index (event_id, entity_index, run, accepted_at, entities_total, organization_id, connector_id, source_name,
    event_type, lane, kind, aliases)
   SELECT event_id, 0, 'first', created_at, 1, $1::uuid, $1::uuid, 'event_api', 'sync', event_id, 'live', '{}'
   FROM sync_events WHERE connector_id = $1::uuid AND $2::int + $3::int > 0`,
  `INSERT INTO event_payloads (event_id, entity_index, run, accepted_at, payload)
   SELECT event_id, 0, 'first', created_at, to_json(repeat('x', $3::int))
   FROM sync_events WHERE connector_id = $1::uuid AND $2::int > 0`,
];

async function fill(records: number, characters: number): Promise<ReplayJob> {
  const connectorId = randomUUID();
  for (const sql of statements) await pool.query(sql, [connectorId, records, characters]);
  for (const table of ['sync_events', 'event_index', 'event_payloads']) await pool.query(`ANALYZE ${table}`);
  return {
    id: randomUUID(), organizationId: connectorId, connectorId, match: { filter: {} }, force: false, dryRun: false,
    ratePerSecond: null, requestId: 'r', status: 'running', matched: 0, replayed: 0, skipped: 0, failed: 0, error: null,
    createdAt: new Date(), completedAt: null,
  };
}
const kept = keptRows(keptForEver);

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}
const rowsRead = (node: PlanNode): number => (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child),
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);

it('a page reads as many rows as it has, whatever the size of the job', async () => {
  const job = await fill(5_000, 10);
  let read = 0;
  const explaining = {
    query: async (sql: string, values: unknown[]) => {
      const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
      read = rowsRead(rows[0]['QUERY PLAN'][0].Plan as PlanNode);
      return pool.query(sql, values);
    },
  } as unknown as PoolClient;
  const page = await replayCandidates(explaining, kept, job, null, 'replay-r', 20);
  expect(page).toHaveLength(20);
  expect(read).toBeLessThan(1_000);
});

it('a page of large payloads ends early, and says that there was more', async () => {
  const job = await fill(6, 5 * 1024 * 1024);
  const client = pool as unknown as PoolClient;
  const first = await replayCandidates(client, kept, job, null, 'replay-r', 10);
  expect([first.length, first[0]!.found]).toEqual([4, 6]);
  const { created_at: at, id } = first.at(-1)!;
  const rest = await replayCandidates(client, kept, job, { at, id }, 'replay-r', 10);
  expect([rest.length, rest[0]!.found]).toEqual([2, 2]);
});

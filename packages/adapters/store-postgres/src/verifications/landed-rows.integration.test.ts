import { randomUUID } from 'node:crypto';
import { preparedDatabase } from '@sluice/testkit';
import type { Pool } from 'pg';
import { createPool } from '../create-pool';
import { migrate } from '../migrations/migrate';
import { landedOf } from './landed-rows';

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

/** Records of a connector, numbered from 1: as many as another connector has. */
const fillSql = `INSERT INTO sync_events (id, created_at, organization_id, connector_id, event_id, entity_index, run, source_name,
    event_type, entity_name, external_id, status, attempts, replayable, completed_at, steps)
  SELECT gen_random_uuid(), now(), $1::uuid, $1::uuid, 'evt_' || n, 0, 'first', 'event_api', 'sync', 'person', n::text, 'completed', 1, false, now(), '[]'
  FROM generate_series(1, $2::int) n`;
const landedSql = `SELECT s.event_id FROM (VALUES ($1::text)) v (external_id), sync_events s WHERE ${landedOf('v', 's')}`;

it('what was written of a record is found by the index, of its connector alone', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  for (const connectorId of [one, other]) await pool.query(fillSql, [connectorId, 5_000]);
  await pool.query('ANALYZE sync_events');
  const { rows } = await pool.query(landedSql, ['4711', one, 'person']);
  expect(rows).toEqual([{ event_id: 'evt_4711' }]);
  const { rows: plan } = await pool.query(`EXPLAIN ${landedSql}`, ['4711', one, 'person']);
  // The other days are empty.
  expect(JSON.stringify(plan)).toMatch(/Index Scan on sync_events_\d+_hashtextextended_idx/);
});

import { eventually } from '@sluice/testkit';
import type { Client } from 'pg';

const perStatement = 50_000;
const hourMs = 3_600_000;

/**
 * $1: event of the pattern, $2 and $3: first and last number, $4: token of the pattern, $5: time of the first, a millisecond
 * apart.
 */
const copies = (table: string, time: string, overrides: string): string => `
  INSERT INTO ${table} SELECT copy.*
  FROM ${table} p, generate_series($2::int, $3::int) n,
    LATERAL jsonb_populate_record(p, jsonb_build_object('event_id', 'evt_replayed_' || n,
      '${time}', $5::timestamptz(3) + n * interval '1 millisecond', ${overrides})) copy
  WHERE p.event_id = $1 AND length($4) > 0`;

const statements = [
  copies('event_index', 'accepted_at', `'external_id', 'replayed-' || n, 'lane', p.connector_id || ':replayed-' || n`),
  copies('event_payloads', 'accepted_at', `'payload', replace(p.payload::text, $4, 'replayed-' || n || '@bench.example')::jsonb`),
  copies('sync_events', 'created_at', `'id', gen_random_uuid(), 'external_id', 'replayed-' || n, 'status', 'failed',
    'error', 'The CRM refused a value.', 'error_kind', 'permanent', 'crm_id', null, 'replayable', true, 'completed_at', now()`),
];

/**
 * Copies an event that has ended as failed events, each of a record of its own: index, payload and outcome row, as the product
 * writes them. @param token address of the event, which stands in its payload
 */
export async function fillFailed(client: Client, eventId: string, token: string, count: number): Promise<void> {
  await eventually(async () => {
    const { rows } = await client.query(
      `SELECT 1 FROM sync_events s JOIN event_payloads p USING (event_id) WHERE s.event_id = $1 AND s.status = 'completed'`,
      [eventId],
    );
    return rows.length > 0;
  }, { timeoutMs: 30_000, everyMs: 250 });
  await client.query('SET synchronous_commit = off; SET statement_timeout = 0');
  // Rows of one event are found by their common time.
  const start = new Date(Date.now() - hourMs);
  for (let from = 1; from <= count; from += perStatement) {
    const values = [eventId, from, Math.min(count, from + perStatement - 1), token, start];
    for (const sql of statements) await client.query(sql, values);
    process.stderr.write(`  ${Math.min(count, from + perStatement - 1)} of ${count} failed events\n`);
  }
  for (const table of ['event_index', 'event_payloads', 'sync_events']) await client.query(`VACUUM ANALYZE ${table}`);
}

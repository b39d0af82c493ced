import { claimsKeptMs, type Retention } from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { inTransaction, retried } from '../transaction';

const dayMs = 86_400_000;
const daysAhead = 7;
/**
 * Creating and dropping partitions takes a short lock on their parent; it is tried again later instead of blocking the writers.
 */
const lockTimeoutMs = 3_000;
const rowsPerDelete = 5_000;
/** One process at a time; the next one then finds the work done. */
const advisoryLock = 7_282_513_940_128;

const tables = [
  { parent: 'sync_events', timeColumn: 'created_at', keep: 'historyS' },
  { parent: 'event_index', timeColumn: 'accepted_at', keep: 'historyS' },
  { parent: 'event_payloads', timeColumn: 'accepted_at', keep: 'payloadS' },
] as const;

/**
 * Creates the daily partitions from yesterday to a week ahead and drops those whose every row is past retention.
 * Payloads go with their events at the latest. Old claims, removals of mappings and positions of writes without one go too.
 * A pass that cannot get a lock throws `StoreUnavailable` and may be repeated.
 */
export async function maintain(pool: Pool, now: Date, retention: Retention): Promise<void> {
  const keepS = { historyS: retention.historyS, payloadS: Math.min(retention.payloadS, retention.historyS) };
  for (const { parent, timeColumn, keep } of tables) {
    for (let day = -1; day <= daysAhead; day += 1) {
      await alone(pool, (client) =>
        client.query('SELECT sluice_add_day($1, $2, $3)', [parent, timeColumn, dayOf(now.getTime() + day * dayMs)]),
      );
    }
    const oldest = dayOf(now.getTime() - keepS[keep] * 1000);
    await alone(pool, (client) => client.query('SELECT sluice_drop_days_before($1, $2, $3)', [parent, timeColumn, oldest]));
  }
  await forgetClaims(pool, now);
  const kept = new Date(now.getTime() - keepS.historyS * 1000);
  await retried(() => pool.query('DELETE FROM record_replays WHERE accepted_at < $1', [kept]));
  await retried(() => pool.query('DELETE FROM mapping_removals WHERE removed_at < $1', [kept]));
  await deleteAll(pool, 'record_writes', 'written_at < $1', kept);
  await deleteAll(pool, 'write_conflicts', 'created_at < $1', kept);
}

/**
 * Deletes old claims, done and pending.
 * Claims bridge the lag of the CRM's search (a day at most, SLUICE_SEARCH_LAG): days later the search itself answers. That goes
 * for a pending one too, whose event ended without a record: no create of so old a claim can still be sent, and whatever it made
 * shows.
 */
async function forgetClaims(pool: Pool, now: Date): Promise<void> {
  const before = new Date(now.getTime() - claimsKeptMs);
  for (const old of ['done_at < $1', 'done_at IS NULL AND claimed_at < $1']) {
    await deleteAll(pool, 'identity_claims', old, before);
  }
}

/** Deletes what is old in short transactions. */
async function deleteAll(pool: Pool, table: string, old: string, before: Date): Promise<void> {
  const sql = `DELETE FROM ${table} WHERE ctid IN
    (SELECT ctid FROM ${table} WHERE ${old} LIMIT ${rowsPerDelete} FOR UPDATE SKIP LOCKED)`;
  while ((await retried(() => pool.query(sql, [before]))).rowCount === rowsPerDelete);
}

/** UTC day of a time. */
const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** Short transactions, each alone: no lock is held longer than one partition takes. */
async function alone(pool: Pool, work: (client: PoolClient) => Promise<unknown>): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLock]);
    await work(client);
  });
}

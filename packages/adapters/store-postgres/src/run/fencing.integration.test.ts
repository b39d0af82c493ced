import { aSettlement, aUnit, acceptedAt, aRow, ownPartition } from '@sluice/ports/testing';
import { eventually, testDatabase, type TestDatabase } from '@sluice/testkit';
import type { Pool } from 'pg';
import { createPool } from '../create-pool';
import { migrate } from '../migrations/migrate';
import { createRunStore } from './create-run-store';

/** What the conformance suite cannot time: two transactions that meet. */
describe('fencing on Postgres', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await testDatabase();
    await migrate(database.url);
    pool = createPool(database.url);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const isWaiting = async (): Promise<void> => {
    const { rows } = await pool.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    expect(rows).toHaveLength(1);
  };

  it('makes a new owner wait for a settle under way, so that it sees what that one wrote', async () => {
    const store = createRunStore(pool);
    const lease = await ownPartition(store, 'one');
    const unit = aUnit();
    const holder = await pool.connect();
    await holder.query('BEGIN');
    // Stops the settle after it has been let through.
    await holder.query('LOCK TABLE sync_events IN ACCESS EXCLUSIVE MODE');
    const settling = store.settle([aSettlement(lease, { unit, verdict: { kind: 'rows', rows: [aRow(unit)] } })]);
    await eventually(isWaiting);
    const acquiring = store.ownership.acquire(lease, { owner: 'one', takeOver: true, leaseMs: 60_000, graceMs: 0 });
    const seen = acquiring.then(() => store.finished([{ ...unit, acceptedAt }]));
    expect(await store.ownership.renew('one', [lease], 60_000)).toEqual([]);
    await holder.query('COMMIT');
    holder.release();
    expect((await settling).refused).toEqual([]);
    expect((await seen).size).toBe(1);
  });
});

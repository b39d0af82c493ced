import { aSettlement, aUnit, acceptedAt, aRow, ownPartition } from '@sluice/ports/testing';
import { eventually } from '@sluice/testkit';
import type { Pool } from 'pg';
import { migratedPool } from '../test-support/migrated-pool';
import { createRunStore } from './create-run-store';

/** A timing that the conformance suite cannot produce: two concurrent transactions. */
describe('fencing on Postgres', () => {
  let pool: Pool;
  let close: () => Promise<void>;
  beforeAll(async () => ({ pool, close } = await migratedPool()));
  afterAll(() => close());

  const isWaiting = async (): Promise<void> => {
    const { rows } = await pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(1);
  };

  it('makes a new owner wait for a settle under way, so that it sees its rows', async () => {
    const store = createRunStore(pool);
    const lease = await ownPartition(store, 'one');
    const unit = aUnit();
    const holder = await pool.connect();
    await holder.query('BEGIN');
    // Stops the settle after its check of the epoch.
    await holder.query('LOCK TABLE sync_events IN ACCESS EXCLUSIVE MODE');
    const settling = store.settle([aSettlement(lease, { unit, verdict: { kind: 'rows', rows: [aRow(unit)] } })]);
    await eventually(isWaiting);
    const acquiring = store.ownership.acquire(lease, { owner: 'one', takeOver: true, leaseMs: 60_000, graceMs: 0 });
    const seen = acquiring.then(() => store.finished([{ ...unit, acceptedAt }]));
    expect((await store.ownership.renew('one', [lease], 60_000)).lost).toEqual([]);
    await holder.query('COMMIT');
    holder.release();
    expect((await settling).refused).toEqual([]);
    expect((await seen).size).toBe(1);
  });
});

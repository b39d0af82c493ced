import { StoreUnavailable } from '@sluice/ports';
import { anIndexRow, aSettlement, ownPartition } from '@sluice/ports/testing';
import { eventually, startPostgres, type TestPostgres } from '@sluice/testkit';
import type { Pool } from 'pg';
import { createPool } from './create-pool';
import { createEventIndex } from './event-index/create-event-index';
import { migrate } from './migrations/migrate';
import { createRunStore } from './run/create-run-store';

describe('when Postgres goes away', () => {
  let postgres: TestPostgres;
  let pool: Pool;
  const broken: Error[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    await migrate(postgres.url);
    pool = createPool(postgres.url, { onError: (error) => broken.push(error) });
  });
  afterAll(async () => {
    await pool.end();
    await postgres.stop();
  });

  it.each(['pause', 'kill'] as const)(
    '%s: throws StoreUnavailable, reports broken idle connections, and works again',
    async (how) => {
      const store = createRunStore(pool);
      const index = createEventIndex(pool);
      const lease = await ownPartition(store);
      await store.settle([aSettlement(lease)]);
      broken.length = 0;
      await postgres[how]();
      await expect(store.settle([aSettlement(lease)])).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(
        store.claim(
          [{ portalId: 'p', objectType: 'o', property: 'e', value: 'v' }],
          [{ connectorId: anIndexRow().connectorId, unit: 'u' }],
          { abandonedAfterMs: 60_000 },
        ),
      ).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(index.write([anIndexRow()])).rejects.toBeInstanceOf(StoreUnavailable);
      await eventually(() => expect(broken.length).toBeGreaterThan(0));
      await postgres.restart();
      await eventually(async () => expect((await store.settle([aSettlement(lease)])).refused).toEqual([]));
    },
  );

  it('cuts a settle short in the middle: StoreUnavailable, nothing of it written', async () => {
    const store = createRunStore(pool);
    const lease = await ownPartition(store);
    const holder = await pool.connect();
    await holder.query('BEGIN; LOCK TABLE sync_events IN ACCESS EXCLUSIVE MODE');
    const settlement = aSettlement(lease);
    const settling = store.settle([settlement]).catch((error: unknown) => error);
    await eventually(async () => {
      const { rows } = await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    });
    expect(await settling).toBeInstanceOf(StoreUnavailable);
    await holder.query('COMMIT');
    holder.release();
    const { rows } = await pool.query('SELECT 1 FROM sync_events WHERE event_id = $1', [settlement.unit.eventId]);
    expect(rows).toEqual([]);
  });
});

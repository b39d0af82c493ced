import { randomUUID } from 'node:crypto';
import type { ClaimKey } from '@sluice/ports';
import { eventually } from '@sluice/testkit';
import type { Pool } from 'pg';
import { migratedPool } from '../test-support/migrated-pool';
import { claim } from './claim';

const key: ClaimKey = { portalId: '77', objectType: 'contacts', property: 'email', value: 'a@shop.test' };
const options = { abandonedAfterMs: 60_000 };

/** A timing that the conformance suite cannot produce: all units see that the claim was abandoned before one takes it over. */
describe('claims taken over on Postgres', () => {
  let pool: Pool;
  let close: () => Promise<void>;
  beforeAll(async () => ({ pool, close } = await migratedPool()));
  afterAll(() => close());

  const claimFor = (unit: string) =>
    claim(pool, [key], [{ connectorId: randomUUID(), unit }], options).then(([answer]) => answer!.state);

  it.each([
    ['exactly one wins', 'SELECT FROM identity_claims FOR UPDATE', ['pending', 'pending', 'pending', 'taken_over']],
    [
      'none wins when the claim\'s own unit ends it meanwhile',
      `UPDATE identity_claims SET crm_id = '5', done_at = now()`,
      ['done', 'done', 'done', 'done'],
    ],
  ])('when several meet at one: %s', async (_, meanwhile, states) => {
    await pool.query('DELETE FROM identity_claims');
    await claimFor('gone');
    await pool.query(`UPDATE identity_claims SET claimed_at = claimed_at - interval '1 hour'`);
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query(meanwhile);
    const claiming = ['a', 'b', 'c', 'd'].map(claimFor);
    await eventually(async () => {
      const { rows } = await pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(4);
    });
    await holder.query('COMMIT');
    holder.release();
    expect((await Promise.all(claiming)).sort()).toEqual(states);
  });
});

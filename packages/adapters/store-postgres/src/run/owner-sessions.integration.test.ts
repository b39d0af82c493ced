import { randomUUID } from 'node:crypto';
import type { PartitionLease } from '@sluice/ports';
import { eventually } from '@sluice/testkit';
import type { Pool } from 'pg';
import { createPool } from '../create-pool';
import { migratedPool } from '../test-support/migrated-pool';
import { createRunStore } from './create-run-store';

const leaseMs = 60_000;

/** What the conformance suite cannot produce: rows of an older version, and sessions of another role. */
describe('sessions of owners on Postgres', () => {
  let pool: Pool;
  let url: string;
  let close: () => Promise<void>;
  const open: Pool[] = [];
  beforeAll(async () => ({ pool, url, close } = await migratedPool()));
  afterEach(async () => { for (const each of open.splice(0)) await each.end(); });
  afterAll(() => close());

  const connected = (address = url): Pool => {
    const made = createPool(address);
    open.push(made);
    return made;
  };
  const ask = { owner: 'next', leaseMs, graceMs: 0 };
  /** An owner whose calls end at once, on a connection of its own. */
  async function owned(asking: Pool): Promise<{ lease: PartitionLease; owner: Pool }> {
    await asking.query('SELECT');
    const owner = connected();
    const ref = { topic: `test.${randomUUID()}`, partition: 0 };
    const answer = await createRunStore(owner).ownership.acquire(ref, { ...ask, owner: 'one', callsEndMs: 0 });
    if (!answer.acquired) throw new Error('a new partition was not free');
    return { lease: { ...ref, epoch: answer.epoch }, owner };
  }
  async function end(ended: Pool): Promise<void> {
    const { rows: [{ pid }] } = await ended.query('SELECT pg_backend_pid() AS pid');
    open.splice(open.indexOf(ended), 1);
    await ended.end();
    const session = 'SELECT FROM pg_stat_activity WHERE pid = $1';
    await eventually(async () => expect((await pool.query(session, [pid])).rows).toEqual([]));
  }

  it('prove nothing about an owner of an older version, which writes no session', async () => {
    const { lease, owner } = await owned(pool);
    await pool.query(
      `UPDATE partition_owners SET owner = 'older', epoch = epoch + 1, lease_until = clock_timestamp() + interval '60 s'
       WHERE topic = $1`, [lease.topic],
    );
    await end(owner);
    const { ownership } = createRunStore(pool);
    expect(await ownership.deadOwners(0)).toEqual([]);
    expect(await ownership.acquire(lease, ask)).toMatchObject({ acquired: false });
  });

  it('count as alive where the role may not see when they began', async () => {
    const role = `test_${randomUUID().replaceAll('-', '')}`;
    await pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    await pool.query(`GRANT SELECT, INSERT, UPDATE ON partition_owners, partition_progress TO ${role}`);
    try {
      const address = new URL(url);
      [address.username, address.password] = [role, 'x'];
      const other = connected(address.href);
      const { lease, owner } = await owned(other);
      const { ownership } = createRunStore(other);
      expect(await ownership.acquire(lease, ask)).toMatchObject({ acquired: false });
      await end(owner);
      expect(await ownership.deadOwners(0)).toMatchObject([{ owner: 'one' }]);
      expect(await ownership.acquire(lease, ask)).toMatchObject({ acquired: true });
    } finally {
      await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });
});

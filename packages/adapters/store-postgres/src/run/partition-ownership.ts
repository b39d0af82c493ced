import type { PartitionLease, PartitionOwnership, PartitionRef } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, bulkRows } from '../bulk-rows';
import { retried } from '../transaction';

/** One statement decides and takes: the row's lock serializes, and the server's clock alone is asked. */
const acquireSql = `
  UPDATE partition_owners
  SET owner = $3, epoch = epoch + 1, taken_unclean = released_at IS NULL, released_at = NULL, lease_until = clock_timestamp() + $4 * interval '1 millisecond'
  WHERE topic = $1 AND partition = $2 AND (
    released_at IS NOT NULL
    OR lease_until + $5 * interval '1 millisecond' <= clock_timestamp()
    OR ($6 AND owner = $3))
  RETURNING epoch, taken_unclean`;

/** A partition nobody has owned yet: free, below the first epoch. */
const addSql = `
  INSERT INTO partition_owners (topic, partition, owner, epoch, lease_until, released_at)
  VALUES ($1, $2, '', 0, clock_timestamp(), clock_timestamp()) ON CONFLICT DO NOTHING`;

const waitSql = `
  SELECT greatest(0, ceil(extract(epoch FROM lease_until - clock_timestamp()) * 1000 + $3))::int AS wait_ms
  FROM partition_owners WHERE topic = $1 AND partition = $2`;

const leases = bulkRows({ topic: 'text', partition: 'integer', epoch: 'bigint' });

const renewSql = `
  UPDATE partition_owners o SET lease_until = clock_timestamp() + $3 * interval '1 millisecond'
  FROM ${leases.from}
  WHERE o.topic = r.topic AND o.partition = r.partition AND o.epoch = r.epoch AND o.owner = $2 AND o.released_at IS NULL
  RETURNING o.topic, o.partition`;

const releaseSql = `
  UPDATE partition_owners SET released_at = clock_timestamp()
  WHERE topic = $1 AND partition = $2 AND epoch = $3 AND released_at IS NULL`;

/** Fencing of partitions on the table partition_owners (DESIGN 2.4). All times are the database's. */
export function partitionOwnership(pool: Pool): PartitionOwnership {
  return {
    acquire: async (ref, options) => {
      const answer = await acquire(pool, ref, options);
      if (answer) return answer;
      await retried(() => pool.query(addSql, [ref.topic, ref.partition]));
      return (await acquire(pool, ref, options)) ?? { acquired: false, waitMs: 0 };
    },
    renew: async (owner, held, leaseMs) => {
      if (held.length === 0) return [];
      const rows = held.map(({ topic, partition, epoch }) => ({ topic, partition, epoch }));
      const renewed = await retried(() => pool.query({ name: 'renew-leases', text: renewSql, values: [bulkParameter(rows), owner, leaseMs] }));
      const kept = new Set(renewed.rows.map((row) => `${row.partition} ${row.topic}`));
      return held.filter(({ topic, partition }: PartitionLease) => !kept.has(`${partition} ${topic}`));
    },
    release: async ({ topic, partition, epoch }) => {
      await retried(() => pool.query(releaseSql, [topic, partition, epoch.toString()]));
    },
  };
}

type Acquired = Awaited<ReturnType<PartitionOwnership['acquire']>>;

/** null: there is no row of the partition yet. */
async function acquire(pool: Pool, { topic, partition }: PartitionRef, options: Parameters<PartitionOwnership['acquire']>[1]): Promise<Acquired | null> {
  const { owner, leaseMs, graceMs, takeOver = false } = options;
  const taken = await retried(() => pool.query(acquireSql, [topic, partition, owner, leaseMs, graceMs, takeOver]));
  if (taken.rows[0]) return { acquired: true, epoch: BigInt(taken.rows[0].epoch), unclean: taken.rows[0].taken_unclean };
  const wait = await retried(() => pool.query(waitSql, [topic, partition, graceMs]));
  return wait.rows[0] ? { acquired: false, waitMs: wait.rows[0].wait_ms } : null;
}

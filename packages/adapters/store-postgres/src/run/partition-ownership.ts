import type {
  AcquireOptions, OwnedLease, PartitionLease, PartitionOwnership, PartitionProgress, PartitionRef,
} from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { bulkParameter, bulkRows } from '../bulk-rows';
import { inTransaction, retried } from '../transaction';
import { deadOwnersOf, sessionGone, sessionRenewed } from './owner-sessions';

/** From when on the calls of an owner that died have ended. */
const callsEnd = `o.renewed_at + o.calls_end_ms * interval '1 millisecond'`;

/**
 * One statement checks and takes: the row's lock serializes, and only the server's clock is used. An epoch is at least the time
 * in milliseconds, so that a restored database never uses one that a runner may still have.
 */
const acquireSql = `
  UPDATE partition_owners o
  SET owner = $3, epoch = greatest(epoch + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint), taken_unclean = released_at IS NULL, released_at = NULL,
    lease_until = clock_timestamp() + $4 * interval '1 millisecond', ${sessionRenewed('$3', '$7')}
  WHERE topic = $1 AND partition = $2 AND (
    released_at IS NOT NULL
    OR lease_until + $5 * interval '1 millisecond' <= clock_timestamp()
    OR ($6 AND owner = $3)
    OR (${callsEnd} <= clock_timestamp() AND ${sessionGone}))
  RETURNING epoch, taken_unclean, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS store_ms`;

/** A partition without an owner so far: free, below the first epoch, and nothing of it settled. */
const addSql = `
  WITH progress AS (INSERT INTO partition_progress (topic, partition, settled_offset) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING)
  INSERT INTO partition_owners (topic, partition, owner, epoch, lease_until, released_at)
  VALUES ($1, $2, '', 0, clock_timestamp(), clock_timestamp()) ON CONFLICT DO NOTHING`;

/** Read after the lock of `acquireSql`: the last settlement of the former owner is in it. */
const progressSql = `
  WITH added AS (INSERT INTO partition_progress (topic, partition) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING settled_offset, revision)
  SELECT settled_offset, revision FROM partition_progress WHERE topic = $1 AND partition = $2 UNION ALL SELECT settled_offset, revision FROM added`;

const waitSql = `
  SELECT greatest(0, ceil(extract(epoch FROM least(
    lease_until + $3 * interval '1 millisecond', CASE WHEN ${sessionGone} THEN ${callsEnd} END) - clock_timestamp()) * 1000))::int AS wait_ms
  FROM partition_owners o WHERE topic = $1 AND partition = $2`;

const leases = bulkRows({ topic: 'text', partition: 'integer', epoch: 'bigint', settled_offset: 'bigint', revision: 'bigint' });

/** A row that a settle has locked is skipped: the settle itself stores the settled offset, and a renewal must not wait. */
const renewSql = `
  WITH renewed AS (
    UPDATE partition_owners o
    SET lease_until = clock_timestamp() + $3 * interval '1 millisecond', ${sessionRenewed('$2', '$4')}
    FROM ${leases.from}
    WHERE o.topic = r.topic AND o.partition = r.partition AND o.epoch = r.epoch AND o.owner = $2 AND o.released_at IS NULL
      AND EXISTS (SELECT FROM partition_progress p WHERE p.topic = o.topic AND p.partition = o.partition AND p.revision >= r.revision)
    RETURNING o.topic, o.partition, r.settled_offset, r.revision
  ),
  behind AS (
    SELECT p.topic, p.partition, n.settled_offset FROM partition_progress p JOIN renewed n USING (topic, partition)
    WHERE p.revision >= n.revision AND (p.settled_offset < n.settled_offset OR p.settled_offset IS NULL AND n.settled_offset IS NOT NULL)
    FOR UPDATE OF p SKIP LOCKED
  ),
  progress AS (
    UPDATE partition_progress p SET settled_offset = b.settled_offset FROM behind b WHERE p.topic = b.topic AND p.partition = b.partition
  )
  SELECT r.topic, r.partition, t.store_ms
  FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS store_ms) t LEFT JOIN renewed r ON true`;

const releaseSql = `
  WITH released AS (
    UPDATE partition_owners SET released_at = clock_timestamp()
    WHERE topic = $1 AND partition = $2 AND epoch = $3 AND released_at IS NULL RETURNING topic, partition
  )
  UPDATE partition_progress p SET settled_offset = greatest(p.settled_offset, $4)
  FROM released WHERE p.topic = released.topic AND p.partition = released.partition AND p.revision >= $5`;

/** Fencing of partitions on the table partition_owners (docs/architecture.md). All times are the database's. */
export function partitionOwnership(pool: Pool): PartitionOwnership {
  return {
    acquire: async (ref, options) => {
      const answer = await acquire(pool, ref, options);
      if (answer) return answer;
      await retried(() => pool.query(addSql, [ref.topic, ref.partition]));
      return (await acquire(pool, ref, options)) ?? { acquired: false, waitMs: 0 };
    },
    renew: async (owner, held, leaseMs, callsEndMs = null) => {
      if (held.length === 0) return { lost: [], storeMs: null };
      const values = [bulkParameter(held.map(leaseColumns)), owner, leaseMs, callsEndMs];
      const renewed = await retried(() => pool.query({ name: 'renew-leases', text: renewSql, values }));
      const kept = new Set(renewed.rows.map((row) => `${row.partition} ${row.topic}`));
      const lost = held.flatMap(({ topic, partition, epoch }): PartitionLease[] =>
        kept.has(`${partition} ${topic}`) ? [] : [{ topic, partition, epoch }],
      );
      return { lost, storeMs: renewed.rows[0]!.store_ms };
    },
    release: async ({ topic, partition, epoch, settledOffset = null, revision = 0n }) => {
      await retried(() =>
        pool.query(releaseSql, [topic, partition, epoch.toString(), settledOffset?.toString() ?? null, revision.toString()]),
      );
    },
    deadOwners: (silentMs) => deadOwnersOf(pool, silentMs),
  };
}

/** A lease and what its owner knows of the partition, as a row of a bulk statement. */
export const leaseColumns = ({ topic, partition, epoch, settledOffset = null, revision = 0n }: OwnedLease) => ({
  topic, partition, epoch: epoch.toString(), settled_offset: settledOffset?.toString() ?? null, revision: revision.toString(),
});

type Acquired = Awaited<ReturnType<PartitionOwnership['acquire']>>;

/** null: there is no row of the partition yet. */
async function acquire(
  pool: Pool,
  { topic, partition }: PartitionRef,
  options: AcquireOptions,
): Promise<Acquired | null> {
  const { owner, leaseMs, graceMs, takeOver = false, callsEndMs = null } = options;
  const taken = await inTransaction(pool, async (client): Promise<Acquired | null> => {
    const { rows } = await client.query({
      name: 'acquire-lease', text: acquireSql, values: [topic, partition, owner, leaseMs, graceMs, takeOver, callsEndMs],
    });
    return rows[0]
      ? {
          acquired: true,
          epoch: BigInt(rows[0].epoch),
          unclean: rows[0].taken_unclean,
          storeMs: rows[0].store_ms,
          ...(await progressOf(client, { topic, partition })),
        }
      : null;
  });
  if (taken) return taken;
  const wait = await retried(() => pool.query(waitSql, [topic, partition, graceMs]));
  return wait.rows[0] ? { acquired: false, waitMs: wait.rows[0].wait_ms } : null;
}

async function progressOf(client: PoolClient, { topic, partition }: PartitionRef): Promise<PartitionProgress> {
  const { rows } = await client.query(progressSql, [topic, partition]);
  return {
    settledOffset: rows[0].settled_offset === null ? null : BigInt(rows[0].settled_offset),
    revision: BigInt(rows[0].revision),
  };
}

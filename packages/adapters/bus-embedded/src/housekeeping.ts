import type { Pool } from 'pg';
import { takeClient } from './take-client';
import { pause } from './wake-channel';

const housekeepingLock = 7_205_819_002;
const chunk = 5_000;
/** A partition is compacted again after this many new messages. */
const dirtyMessages = 1_000;
/** Deletions stay readable for this time, so that every follower sees them. */
const tombstoneMs = 86_400_000;

interface Partition {
  topicId: number;
  partition: number;
  cleanup: 'delete' | 'compact';
  retentionMs: string;
  dirty: string;
}

/** Removes what retention or compaction no longer keeps, every `everyMs`; one process at a time does it. */
export function startHousekeeping(pool: Pool, everyMs: number): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    for (;;) {
      await pause(everyMs, stopping.signal);
      if (stopping.signal.aborted) return;
      // A log that cannot be reached now is cleaned in the next round.
      await tidyUp(pool, stopping.signal).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

/** One round over all topics. Does nothing while another process is doing it. */
export async function tidyUp(pool: Pool, signal: AbortSignal): Promise<void> {
  const client = await takeClient(pool);
  try {
    const lock = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [housekeepingLock]);
    if (!lock.rows[0]?.got) return;
    const { rows } = await client.query<Partition>(
      `SELECT t.id AS "topicId", p.partition, t.cleanup, t.retention_ms AS "retentionMs", p.next_offset - p.compacted_to AS dirty
       FROM sluice_bus.topics t JOIN sluice_bus.partitions p ON p.topic_id = t.id WHERE p.next_offset > 0`,
    );
    for (const partition of rows) {
      if (signal.aborted) return;
      if (partition.cleanup === 'delete') await trim(pool, partition, signal);
      else if (Number(partition.dirty) >= dirtyMessages) await compact(pool, partition);
    }
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
  }
}

async function trim(pool: Pool, { topicId, partition, retentionMs }: Partition, signal: AbortSignal): Promise<void> {
  let removed = chunk;
  while (removed === chunk && !signal.aborted) {
    const { rows } = await pool.query<{ removed: number }>(
      `WITH oldest AS MATERIALIZED (
         SELECT "offset", created_at FROM sluice_bus.messages WHERE topic_id = $1 AND partition = $2 ORDER BY "offset" LIMIT ${chunk}),
       last AS (SELECT max("offset") AS "offset" FROM oldest WHERE created_at < now() - $3 * interval '1 millisecond'),
       gone AS (DELETE FROM sluice_bus.messages m USING last WHERE m.topic_id = $1 AND m.partition = $2 AND m."offset" <= last."offset" RETURNING 1),
       moved AS (UPDATE sluice_bus.partitions p SET log_start = last."offset" + 1 FROM last
         WHERE p.topic_id = $1 AND p.partition = $2 AND last."offset" IS NOT NULL)
       SELECT count(*)::int AS removed FROM gone`,
      [topicId, partition, retentionMs],
    );
    removed = rows[0]?.removed ?? 0;
  }
}

/** Keeps the newest message of every key; of a deletion only for a day. */
async function compact(pool: Pool, { topicId, partition }: Partition): Promise<void> {
  await pool.query(
    `WITH bound AS MATERIALIZED (SELECT next_offset AS "offset" FROM sluice_bus.partitions WHERE topic_id = $1 AND partition = $2),
     newest AS (SELECT m.key, max(m."offset") AS "offset" FROM sluice_bus.messages m WHERE m.topic_id = $1 AND m.partition = $2 GROUP BY m.key),
     gone AS (DELETE FROM sluice_bus.messages m USING newest n WHERE m.topic_id = $1 AND m.partition = $2 AND m.key = n.key AND
       (m."offset" < n."offset" OR (m.value IS NULL AND m.created_at < now() - ${tombstoneMs} * interval '1 millisecond')))
     UPDATE sluice_bus.partitions p SET compacted_to = bound."offset" FROM bound WHERE p.topic_id = $1 AND p.partition = $2`,
    [topicId, partition],
  );
}

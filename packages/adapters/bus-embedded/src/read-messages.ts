import type { ReceivedMessage } from '@sluice/ports';
import type { Pool } from 'pg';

const maxMessages = 1_000;
const maxBytes = 1024 * 1024;

const statement = `
SELECT w.partition, m."offset", m.key, m.value, m.headers, extract(epoch FROM m.created_at)::float8 * 1000 AS at
FROM unnest($2::int[], $3::bigint[]) AS w(partition, next)
JOIN sluice_bus.partitions p ON p.topic_id = $1 AND p.partition = w.partition AND p.next_offset > w.next
CROSS JOIN LATERAL (
  SELECT x.*, sum(x.size) OVER (ORDER BY x."offset") - x.size AS bytes_before
  FROM (
    SELECT * FROM sluice_bus.messages
    WHERE topic_id = $1 AND partition = w.partition AND "offset" >= w.next
    ORDER BY "offset" LIMIT ${maxMessages}
  ) x
) m
WHERE m.bytes_before < ${maxBytes}
ORDER BY w.partition, m."offset"`;

interface Row {
  partition: number;
  offset: string;
  key: string;
  value: Buffer | null;
  headers: Record<string, string> | null;
  at: number;
}

/** Reads from each partition at most 1,000 messages or about 1 MiB. Partitions with nothing new are left out. */
export async function readMessages(
  pool: Pool,
  topicId: number,
  wanted: { partition: number; next: bigint }[],
): Promise<Map<number, ReceivedMessage[]>> {
  const values = [topicId, wanted.map(({ partition }) => partition), wanted.map(({ next }) => String(next))];
  const query = { name: 'sluice_bus_read', text: statement, values, query_timeout: 30_000 };
  const { rows } = await pool.query<Row>(query);
  const batches = new Map<number, ReceivedMessage[]>();
  for (const { partition, offset, key, value, headers, at } of rows) {
    const message = { partition, offset: BigInt(offset), key, value, headers: headers ?? undefined, timestamp: Math.floor(at) };
    const batch = batches.get(partition);
    if (batch) batch.push(message);
    else batches.set(partition, [message]);
  }
  return batches;
}

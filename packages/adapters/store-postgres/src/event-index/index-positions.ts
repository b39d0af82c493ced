import type { IndexedRange, IndexPosition, PartitionRef } from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { bulkParameter, bulkRows } from '../bulk-rows';

const asked = bulkRows({ topic: 'text', partition: 'integer', known: 'bigint', next: 'bigint' });

const keepSql = `
  UPDATE event_index_progress p SET next_offset = greatest(p.next_offset, r.next) FROM ${asked.from}
  WHERE p.topic = r.topic AND p.partition = r.partition AND (p.next_offset IS NULL OR p.next_offset >= r.known)
  RETURNING p.topic, p.partition`;

/** A partition that was never read starts at 0. */
const positionSql = `
  WITH added AS (
    INSERT INTO event_index_progress (topic, partition, next_offset) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING RETURNING next_offset
  )
  SELECT next_offset FROM event_index_progress WHERE topic = $1 AND partition = $2 UNION ALL SELECT next_offset FROM added`;

/**
 * Stores up to which offset partitions are indexed. @returns the partitions of which the database lacks rows, and its position in
 * them
 */
export async function keepPositions(client: PoolClient, ranges: readonly IndexedRange[]): Promise<IndexPosition[]> {
  if (ranges.length === 0) return [];
  const rows = ranges.map(({ topic, partition, from, next }) => ({
    topic,
    partition,
    known: from.toString(),
    next: next.toString(),
  }));
  const kept = await client.query({ name: 'keep-index-positions', text: keepSql, values: [bulkParameter(rows)] });
  const named = new Set(kept.rows.map((row) => `${row.partition} ${row.topic}`));
  const behind = ranges.filter(({ topic, partition }) => !named.has(`${partition} ${topic}`));
  const positions: IndexPosition[] = [];
  for (const { topic, partition } of behind) {
    positions.push({ topic, partition, next: (await indexPosition(client, { topic, partition })) ?? 0n });
  }
  return positions;
}

/** The position of the index in a partition; null: unknown. */
export async function indexPosition(database: Pool | PoolClient, { topic, partition }: PartitionRef): Promise<bigint | null> {
  const { rows } = await database.query(positionSql, [topic, partition]);
  return rows[0].next_offset === null ? null : BigInt(rows[0].next_offset);
}

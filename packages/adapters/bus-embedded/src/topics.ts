import { SingleFlight, type TopicSettings } from '@sluice/ports';
import { checkPartitions } from '@sluice/ports/bus-kit';
import type { Pool } from 'pg';
import { inTransaction } from './in-transaction';
import { schemaSql } from './schema';

export interface KnownTopic {
  id: number;
  name: string;
  partitions: number;
}

/** The topics of the log, cached once read, because topics are never changed or deleted. */
export interface Topics {
  ensure(topics: readonly TopicSettings[]): Promise<void>;
  /** From memory only. */
  known(name: string): KnownTopic | undefined;
  /** @throws when it does not exist or the log cannot be reached */
  find(name: string): Promise<KnownTopic>;
}

/** Any number, the same in every process: only one creates the schema at a time. */
const schemaLock = 7_205_819_001;

export function createTopics(pool: Pool): Topics {
  const cache = new Map<string, KnownTopic>();
  const looking = new SingleFlight<KnownTopic>();

  const look = async (name: string): Promise<KnownTopic> => {
    const { rows } = await pool.query<KnownTopic>('SELECT id, name, partitions FROM sluice_bus.topics WHERE name = $1', [name]);
    const topic = rows[0];
    if (!topic) throw new Error(`Topic ${name} does not exist.`);
    cache.set(name, topic);
    return topic;
  };

  return {
    known: (name) => cache.get(name),
    find: (name) => {
      const cached = cache.get(name);
      if (cached) return Promise.resolve(cached);
      return looking.run(name, () => look(name));
    },
    ensure: (topics) =>
      inTransaction(pool, async (client) => {
        await client.query('SELECT pg_advisory_xact_lock($1)', [schemaLock]);
        await client.query(schemaSql);
        for (const topic of topics) {
          const { name, partitions, cleanup, retentionMs } = topic;
          await client.query(
            `WITH made AS (INSERT INTO sluice_bus.topics (name, partitions, cleanup, retention_ms) VALUES ($1, $2, $3, $4)
               ON CONFLICT (name) DO NOTHING RETURNING id, partitions)
             INSERT INTO sluice_bus.partitions (topic_id, partition) SELECT id, generate_series(0, partitions - 1) FROM made`,
            [name, partitions, cleanup, retentionMs],
          );
          const { rows } = await client.query<{ cleanup: string; partitions: number }>(
            'SELECT cleanup, partitions FROM sluice_bus.topics WHERE name = $1',
            [name],
          );
          const existing = rows[0];
          if (existing?.cleanup !== cleanup)
            throw new Error(`Topic ${name} exists with cleanup ${existing?.cleanup}, wanted ${cleanup}.`);
          checkPartitions(topic, existing.partitions);
        }
      }),
  };
}

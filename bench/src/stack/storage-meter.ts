import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

/** Bytes that have been written so far. */
export interface StorageReading {
  /** Segments of all partitions of the topics, without their indexes. */
  kafka: number;
  /** Tables and indexes of the database. */
  database: number;
  /** Position of Postgres's write-ahead log. */
  wal: number;
}

/**
 * Reads what the broker and Postgres have stored.
 * @param kafkaPid the broker: its logs are in its working folder (`startKafka` of the test kit)
 */
export async function readStorage(databaseUrl: string, kafkaPid: number): Promise<StorageReading> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: [row] } = await client.query<{ database: string; wal: string }>(
      `SELECT pg_database_size(current_database()) AS database, pg_current_wal_lsn() - '0/0' AS wal`);
    return { kafka: segmentBytes(join('/proc', String(kafkaPid), 'cwd', 'logs')), database: Number(row!.database),
      wal: Number(row!.wal) };
  } finally {
    await client.end();
  }
}

/** Bytes between two readings, for each of so many records: for a table. */
export const storedPerRecord = (before: StorageReading, after: StorageReading, records: number): Record<keyof StorageReading,
number> => ({
  kafka: (after.kafka - before.kafka) / records,
  database: (after.database - before.database) / records,
  wal: (after.wal - before.wal) / records,
});

function segmentBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + segmentBytes(path);
    return entry.name.endsWith('.log') ? sum + statSync(path).size : sum;
  }, 0);
}

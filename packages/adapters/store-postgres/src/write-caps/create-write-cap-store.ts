import { randomUUID } from 'node:crypto';
import type { WriteCapAnswer, WriteCapStore } from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { inTransaction as inPrisma } from '../config-client/config-client';
import { mapStoreOutage } from '../config-client/store-errors';
import type { PrismaClient } from '../generated/client';
import { inTransaction, retried } from '../transaction';
import { reopen, settled, trip } from './move-cap';

const lockSql = 'SELECT state FROM write_caps WHERE connector_id = $1 FOR UPDATE';

/** What was not settled in time counts as written: the process that reserved it may have died after its call. */
const countExpiredSql = `
  WITH expired AS (DELETE FROM write_cap_reservations WHERE connector_id = $1 AND expires_at <= clock_timestamp() RETURNING writes)
  UPDATE write_caps SET writes = writes + (SELECT coalesce(sum(writes), 0) FROM expired) WHERE connector_id = $1
  RETURNING writes >= write_limit AS reached`;

const addSql = `
  INSERT INTO write_cap_reservations (id, connector_id, writes, expires_at)
  SELECT $2, connector_id, $3, clock_timestamp() + $4 * interval '1 millisecond' FROM write_caps c
  WHERE connector_id = $1 AND c.write_limit
    > c.writes + (SELECT coalesce(sum(r.writes), 0) FROM write_cap_reservations r WHERE r.connector_id = c.connector_id)`;

/** One that had expired was counted then. */
const endSql = `
  WITH ended AS (DELETE FROM write_cap_reservations WHERE id = $2 AND connector_id = $1 RETURNING connector_id)
  UPDATE write_caps c SET writes = c.writes + $3 FROM ended WHERE c.connector_id = ended.connector_id`;

const suspectsSql = `
  SELECT connector_id FROM write_caps c WHERE state = 'armed' AND (writes >= write_limit OR EXISTS (
    SELECT FROM write_cap_reservations r WHERE r.connector_id = c.connector_id AND r.expires_at <= clock_timestamp()))`;

const releasingSql = `SELECT connector_id, since FROM write_caps WHERE state = 'releasing'`;
const settlingSql = `
  SELECT connector_id FROM write_caps WHERE state = 'settling' AND since <= clock_timestamp() - $1 * interval '1 millisecond'`;

/** The caps of first syncs, on Postgres. Each step locks the row of its cap; all times are the database's. */
export function createWriteCapStore(pool: Pool, prisma: PrismaClient): WriteCapStore {
  const ids = async (sql: string, values: unknown[] = []): Promise<string[]> => {
    const { rows } = await retried(() => pool.query(sql, values));
    return rows.map((row) => row.connector_id as string);
  };
  /** Those for which a step in a transaction of its own did something. */
  const done = async (connectorIds: readonly string[], step: (id: string) => Promise<boolean>): Promise<string[]> => {
    const changed: string[] = [];
    for (const id of connectorIds) if (await step(id)) changed.push(id);
    return changed;
  };
  return mapStoreOutage<WriteCapStore>({
    reserve: (connectorId, writes, ttlMs) => inTransaction(pool, (client) => reserve(client, connectorId, writes, ttlMs)),
    settle: ({ connectorId, reservation, written }) => inTransaction(pool, async (client) => {
      await client.query(lockSql, [connectorId]);
      await client.query(endSql, [connectorId, reservation, written]);
    }),
    tripReached: async () => done(await ids(suspectsSql), async (id) => {
      const isReached = await inTransaction(pool, (client) => countExpired(client, id));
      return isReached && inPrisma(prisma, (tx) => trip(tx, id));
    }),
    async releasing() {
      const { rows } = await retried(() => pool.query(releasingSql));
      return rows.map((row) => ({ connectorId: row.connector_id as string, since: row.since as Date }));
    },
    settled: (connectorId) => inPrisma(prisma, (tx) => settled(tx, connectorId)),
    reopen: async (settlingMs) =>
      done(await ids(settlingSql, [settlingMs]), (id) => inPrisma(prisma, (tx) => reopen(tx, id, settlingMs))),
  });
}

/** @returns whether its limit is reached */
async function countExpired(client: PoolClient, connectorId: string): Promise<boolean> {
  await client.query(lockSql, [connectorId]);
  const { rows } = await client.query(countExpiredSql, [connectorId]);
  return rows[0]?.reached === true;
}

async function reserve(
  client: PoolClient, connectorId: string, writes: number, ttlMs: number,
): Promise<WriteCapAnswer> {
  const state = (await client.query(lockSql, [connectorId])).rows[0]?.state as string | undefined;
  if (state === 'tripped') return { granted: false };
  if (state !== 'armed') return { granted: true, reservation: null };
  if (await countExpired(client, connectorId)) return { granted: false };
  const reservation = randomUUID();
  const { rowCount } = await client.query(addSql, [connectorId, reservation, writes, ttlMs]);
  return rowCount === 0 ? { granted: false } : { granted: true, reservation };
}

import type { OutboxOutcome, OutboxStore } from '@sluice/ports';
import type { PrismaClient } from '../generated/client';
import { inTransaction, type Transaction } from '../config-client/config-client';

/** Any fixed number: who holds this advisory lock is the relay. */
const relayLock = 5_117_001;
/** Milliseconds a round may take to publish while its transaction stays open (idle ones are ended after 30 s). */
const relayTimeoutMs = 25_000;
/** Bytes of one round: what a relay holds in memory. A larger message goes alone. */
const roundBytes = 8 * 1024 * 1024;

interface WaitingRow {
  id: bigint;
  topic: string;
  key: string;
  payload: unknown;
}

/** What waits to be published. Messages leave in the order of their ids and are removed only once published. */
export function createOutboxStore(prisma: PrismaClient): OutboxStore {
  return {
    drain: (limit, publish) => inTransaction<number | 'busy'>(prisma, async (tx) => {
      const [lock] = await tx.$queryRaw<{ mine: boolean }[]>`SELECT pg_try_advisory_xact_lock(${relayLock}) AS mine`;
      if (!lock?.mine) return 'busy';
      const rows = await oldest(tx, limit);
      return rows.length === 0 ? 0 : settle(tx, await publish(rows));
    }, relayTimeoutMs),

    async backlog() {
      const waits = { set_aside_at: null };
      const [waiting, all, first] = await Promise.all([
        prisma.outboxMessage.count({ where: waits }), prisma.outboxMessage.count(),
        prisma.outboxMessage.findFirst({ where: waits, orderBy: { id: 'asc' }, select: { created_at: true } }),
      ]);
      const oldestMs = first ? Math.max(0, Date.now() - first.created_at.getTime()) : 0;
      return { waiting, oldestMs, setAside: Math.max(0, all - waiting) };
    },

    async newestWaiting(upTo) {
      const known = upTo === undefined ? {} : { id: { lte: upTo } };
      const newest = await prisma.outboxMessage.findFirst({
        where: { set_aside_at: null, ...known }, orderBy: { id: 'desc' }, select: { id: true },
      });
      return newest?.id ?? null;
    },

    setAside: (limit) => prisma.$queryRaw`
      SELECT id, topic, key, octet_length(payload::text) AS bytes, coalesce(reason, '') AS reason, set_aside_at AS at
      FROM outbox WHERE set_aside_at IS NOT NULL ORDER BY id DESC LIMIT ${limit}`,
  };
}

const oldest = (tx: Transaction, limit: number): Promise<WaitingRow[]> => tx.$queryRaw`
  WITH candidates AS (SELECT id, topic, key, payload FROM outbox WHERE set_aside_at IS NULL ORDER BY id LIMIT ${limit}),
    sized AS (SELECT *, octet_length(payload::text) AS bytes FROM candidates),
    summed AS (SELECT *, sum(bytes) OVER (ORDER BY id) - bytes AS bytes_before FROM sized)
  SELECT id, topic, key, payload FROM summed WHERE bytes_before < ${roundBytes} ORDER BY id`;

async function settle(tx: Transaction, { published, setAside }: OutboxOutcome): Promise<number> {
  const now = new Date();
  for (const { id, reason } of setAside) await tx.outboxMessage.update({ where: { id }, data: { set_aside_at: now, reason } });
  if (published.length > 0) {
    const ids = [...published];
    await tx.$executeRaw`
      DELETE FROM outbox obsolete USING outbox passed
      WHERE obsolete.set_aside_at IS NOT NULL AND passed.id = ANY(${ids.map(String)}::bigint[])
        AND obsolete.topic = passed.topic AND obsolete.key = passed.key AND obsolete.id < passed.id`;
    await tx.outboxMessage.deleteMany({ where: { id: { in: ids } } });
  }
  return published.length + setAside.length;
}

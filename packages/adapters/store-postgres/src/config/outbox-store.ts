import type { OutboxStore } from '@sluice/ports';
import type { PrismaClient } from '../generated/client';
import { inTransaction } from './config-client';

/** Any fixed number: who holds this advisory lock is the relay. */
const relayLock = 5_117_001;
/** Milliseconds a batch may take to publish while its transaction stays open (idle ones are ended after 30 s). */
const relayTimeoutMs = 25_000;

/** What waits to be published. Messages leave in the order of their ids and are removed only once published. */
export function createOutboxStore(prisma: PrismaClient): OutboxStore {
  return {
    drain: (limit, publish) => inTransaction<number | 'busy'>(prisma, async (tx) => {
      const [lock] = await tx.$queryRaw<{ mine: boolean }[]>`SELECT pg_try_advisory_xact_lock(${relayLock}) AS mine`;
      if (!lock?.mine) return 'busy';
      const rows = await tx.outboxMessage.findMany({ orderBy: { id: 'asc' }, take: limit });
      if (rows.length === 0) return 0;
      const published = await publish(rows.map(({ id, topic, key, payload }) => ({ id, topic, key, payload })));
      if (!published) return 0;
      await tx.outboxMessage.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
      return rows.length;
    }, relayTimeoutMs),

    async backlog() {
      const [waiting, oldest] = await Promise.all([prisma.outboxMessage.count(), prisma.outboxMessage.findFirst({ orderBy: { id: 'asc' } })]);
      return { waiting, oldestMs: oldest ? Math.max(0, Date.now() - oldest.created_at.getTime()) : 0 };
    },
  };
}

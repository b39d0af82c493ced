import type { DueMail, MailRow, MailStore } from '@sluice/ports';
import type { PrismaClient } from '../../generated/client';
import { assertFenceOf } from '../../tasks/assert-fence';
import { addMail } from './add-mail';
import { inTransaction } from '../../config-client/config-client';
import { inMs } from '../../config-client/database-time';

/** Mails that wait to be sent. */
export function createMailStore(prisma: PrismaClient): MailStore {
  return {
    add: (mail) => addMail(prisma, mail),

    list: (to, limit) => prisma.$queryRaw<MailRow[]>`
      SELECT id, kind, recipient AS "to", sealed, created_at AS "createdAt" FROM mails
      WHERE ended_at IS NULL AND expires_at > now() AND (${to}::text IS NULL OR recipient = ${to})
      ORDER BY created_at DESC, id LIMIT ${limit}`,

    take: (fence, { limit, againMs }) => inTransaction(prisma, async (tx) => {
      await assertFenceOf(tx, fence);
      const taken = await tx.$queryRaw<DueMail[]>`
        UPDATE mails SET attempts = attempts + 1, next_attempt_at = ${inMs(againMs)}
        WHERE id IN (
          SELECT id FROM mails WHERE ended_at IS NULL AND next_attempt_at <= now() AND expires_at > now()
          ORDER BY next_attempt_at, id LIMIT ${limit} FOR UPDATE
        )
        RETURNING id, kind, recipient AS "to", sealed, created_at AS "createdAt", attempts AS attempt,
          (EXTRACT(epoch FROM now() - created_at) * 1000)::float8 AS "ageMs"`;
      return taken.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
    }),

    async putOff(id, { waitMs, reason }) {
      await prisma.$executeRaw`
        UPDATE mails SET next_attempt_at = ${inMs(waitMs)}, last_error = ${reason} WHERE id = ${id}::uuid AND ended_at IS NULL`;
    },

    async end(id, how) {
      await prisma.$executeRaw`
        UPDATE mails SET ended_at = now(), end_reason = ${how}, sealed = NULL WHERE id = ${id}::uuid AND ended_at IS NULL`;
    },

    async waiting() {
      const [row] = await prisma.$queryRaw<{ mails: number; oldestMs: number }[]>`
        SELECT count(*)::int AS mails, COALESCE(EXTRACT(epoch FROM now() - min(created_at)) * 1000, 0)::float8 AS "oldestMs"
        FROM mails WHERE ended_at IS NULL AND expires_at > now()`;
      return row!;
    },

    async sweep(before) {
      const ended = await prisma.$executeRaw`
        UPDATE mails SET ended_at = now(), end_reason = 'expired', sealed = NULL WHERE ended_at IS NULL AND expires_at <= now()`;
      await prisma.mail.deleteMany({ where: { created_at: { lt: before }, ended_at: { not: null } } });
      return ended;
    },
  };
}

import type { MailRow, MailStore } from '@sluice/ports';
import type { PrismaClient } from '../generated/client';
import { addMail } from './add-mail';

/** Mails that wait to be sent. */
export function createMailStore(prisma: PrismaClient): MailStore {
  return {
    add: (mail) => addMail(prisma, mail),
    list: (to, limit) => prisma.$queryRaw<MailRow[]>`
      SELECT id, kind, recipient AS "to", sealed, created_at AS "createdAt" FROM mails
      WHERE ended_at IS NULL AND expires_at > now() AND (${to}::text IS NULL OR recipient = ${to})
      ORDER BY created_at DESC, id LIMIT ${limit}`,
  };
}

import type { NewMail } from '@sluice/ports';
import type { Reader } from '../../config-client/config-client';
import { inMs } from '../../config-client/database-time';

/**
 * Adds a mail in the transaction of what it is about.
 * @param sendable false: the address is nobody's, and the mail is written ended and empty, which takes the same time
 */
export async function addMail(reader: Reader, { id, kind, to, sealed, ttlMs }: NewMail, sendable = true): Promise<void> {
  const [text, reason] = sendable ? [sealed, null] : [null, 'nobody'];
  await reader.$executeRaw`
    INSERT INTO mails (id, kind, recipient, sealed, expires_at, ended_at, end_reason)
    VALUES (${id}::uuid, ${kind}, ${to}, ${text}, ${inMs(ttlMs)}, CASE WHEN ${sendable} THEN NULL ELSE now() END, ${reason})`;
}

import { randomUUID } from 'node:crypto';
import type { Keyring, MailRow, NewMail } from '@sluice/ports';
import type { MailContent, WrittenMail } from './mail-content';
import { type MailData, type MailKind, mailTemplates } from './mail-templates';
import { writeMail } from './write-mail';

/** Writes mails and encrypts them for the store, which sends them later: their links are worth a password. */
export interface Mailer {
  /** @param ttlMs milliseconds after which its link is worth nothing */
  write<K extends MailKind>(kind: K, to: string, data: MailData<K>, ttlMs: number): NewMail;
  open(mail: Pick<MailRow, 'id' | 'sealed'>): WrittenMail;
}

const contextOf = (id: string): string => `mail:${id}`;

export function createMailer(keyring: Keyring): Mailer {
  return {
    write: (kind, to, data, ttlMs) => {
      const id = randomUUID();
      const written = writeMail((mailTemplates[kind] as (given: typeof data) => MailContent)(data));
      return { id, kind, to, sealed: keyring.encrypt(JSON.stringify(written), contextOf(id)), ttlMs };
    },
    open: ({ id, sealed }) => JSON.parse(keyring.decrypt(sealed, contextOf(id))) as WrittenMail,
  };
}

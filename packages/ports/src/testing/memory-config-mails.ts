import type { MailStore, NewMail } from '../config-store';
import { copy, type MemoryConfigState } from './memory-config-state';

/** Mails of the twin. */
export function createMemoryMails(state: MemoryConfigState): MailStore {
  return {
    add: async (mail) => addMemoryMail(state, mail),
    list: async (to, limit) => {
      const waiting = state.mails.filter(({ ended, expiresAt }) => !ended && expiresAt > new Date());
      const wanted = waiting.filter((mail) => to === null || mail.to === to).slice(0, limit);
      return wanted.map(({ expiresAt: _, ended: __, ...mail }) => copy(mail));
    },
  };
}

export function addMemoryMail(state: MemoryConfigState, { ttlMs, ...mail }: NewMail, sendable = true): void {
  const createdAt = new Date();
  state.mails.unshift({ ...copy(mail), createdAt, expiresAt: new Date(createdAt.getTime() + ttlMs), ended: !sendable });
}

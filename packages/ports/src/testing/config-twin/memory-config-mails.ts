import type { MailStore, NewMail } from '../../config-store';
import type { Fence } from '../../tasks/task-store';
import type { MemoryMail } from './memory-config-rows';
import type { MemoryConfigState } from './memory-config-state';
import { copy } from '../shared/memory-copy';

/** Mails of the twin. */
export function createMemoryMails(state: MemoryConfigState, assertFence: (fence: Fence) => void): MailStore {
  const waiting = (): MemoryMail[] => state.mails.filter(({ ended, expiresAt }) => !ended && expiresAt > new Date());
  const open = (id: string): MemoryMail | undefined => state.mails.find((mail) => mail.id === id && !mail.ended);
  const shown = ({ id, kind, to, sealed, createdAt }: MemoryMail) => ({ id, kind, to, sealed, createdAt });
  const inMs = (ms: number): Date => new Date(Date.now() + ms);
  return {
    add: async (mail) => addMemoryMail(state, mail),
    list: async (to, limit) => waiting().filter((mail) => to === null || mail.to === to).slice(0, limit).map(shown),
    async take(fence, { limit, againMs }) {
      assertFence(fence);
      const due = waiting().filter(({ dueAt }) => dueAt <= new Date()).reverse().sort(
        (one, other) => one.dueAt.getTime() - other.dueAt.getTime(),
      );
      return due.slice(0, limit).map((mail) => {
        Object.assign(mail, { attempt: mail.attempt + 1, dueAt: inMs(againMs) });
        return { ...shown(mail), attempt: mail.attempt, ageMs: Date.now() - mail.createdAt.getTime() };
      });
    },
    async putOff(id, { waitMs }) {
      const mail = open(id);
      if (mail) mail.dueAt = inMs(waitMs);
    },
    async end(id) {
      Object.assign(open(id) ?? {}, { ended: true, sealed: '' });
    },
    async waiting() {
      const oldestMs = Math.max(0, ...waiting().map(({ createdAt }) => Date.now() - createdAt.getTime()));
      return { mails: waiting().length, oldestMs };
    },
    async sweep(before) {
      const late = state.mails.filter(({ ended, expiresAt }) => !ended && expiresAt <= new Date());
      for (const mail of late) Object.assign(mail, { ended: true, sealed: '' });
      state.mails = state.mails.filter(({ createdAt, ended }) => !ended || createdAt >= before);
      return late.length;
    },
  };
}

export function addMemoryMail(state: MemoryConfigState, { ttlMs, ...mail }: NewMail, sendable = true): void {
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + ttlMs);
  state.mails.unshift({ ...copy(mail), createdAt, expiresAt, dueAt: createdAt, attempt: 0, ended: !sendable });
}

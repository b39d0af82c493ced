import type { Fence } from '../tasks/task-store';

/** A mail to send. It holds links with tokens, so its text is encrypted until it is sent, and erased then. */
export interface NewMail {
  /** Chosen by the caller, because the encrypted text is bound to it. */
  id: string;
  /** A word like `invitation`. */
  kind: string;
  to: string;
  sealed: string;
  /** Milliseconds after which its links are worth nothing. */
  ttlMs: number;
}

/** A mail that waits to be sent. */
export interface MailRow {
  id: string;
  kind: string;
  to: string;
  sealed: string;
  createdAt: Date;
}

/** A mail that is to be tried now. */
export interface DueMail extends MailRow {
  /** 1 for the first try. Tries that a crash ended count. */
  attempt: number;
  /** Milliseconds since it was written. */
  ageMs: number;
}

/**
 * How a mail ends. `refused`: the server refuses it for good. `given_up`: it was put off for too long. `expired`: its links are
 * worth nothing any more.
 */
export type MailEnd = 'sent' | 'refused' | 'given_up' | 'expired';

/** Mails are added by the stores, in the transactions of what they are about. */
export interface MailStore {
  add(mail: NewMail): Promise<void>;
  /** Mails that wait and whose links are good, newest first, for one recipient or all. */
  list(to: string | null, limit: number): Promise<MailRow[]>;
  /**
   * Takes mails that are due, those that have waited longest first. From now on each counts as tried, and is due again after
   * `againMs`: a process that dies in the try loses none of them. @throws FenceLost
   */
  take(fence: Fence, request: { limit: number; againMs: number }): Promise<DueMail[]>;
  /** A mail was not handed over and waits. */
  putOff(id: string, wait: { waitMs: number; reason: string }): Promise<void>;
  /** A mail is over, and its text is erased. Nothing changes when it was over before. */
  end(id: string, how: MailEnd): Promise<void>;
  /** Mails that wait, and for how long the oldest has: milliseconds, 0 when none does. */
  waiting(): Promise<{ mails: number; oldestMs: number }>;
  /**
   * Ends mails whose links are worth nothing, and forgets those that are over and were added before `before`.
   * @returns how many ended
   */
  sweep(before: Date): Promise<number>;
}

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

/** Mails are added by the stores, in the transactions of what they are about. */
export interface MailStore {
  add(mail: NewMail): Promise<void>;
  /** Mails that wait and whose links are good, newest first, for one recipient or all. */
  list(to: string | null, limit: number): Promise<MailRow[]>;
}

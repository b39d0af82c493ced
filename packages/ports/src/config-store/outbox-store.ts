export interface MailRow {
  to: string;
  subject: string;
  text: string;
  links: string[];
  sentAt: Date;
}

export interface MailStore {
  add(mail: Omit<MailRow, 'sentAt'>): Promise<void>;
  list(to: string | null, limit: number): Promise<MailRow[]>;
}

export interface OutboxMessage {
  id: bigint;
  topic: string;
  key: string;
  payload: unknown;
}

export interface OutboxStore {
  /**
   * Hands the oldest messages to `publish` and removes them once it answers true; only one relay does so at a time.
   * Answers how many were removed; `busy`: another relay is at it.
   */
  drain(limit: number, publish: (messages: OutboxMessage[]) => Promise<boolean>): Promise<number | 'busy'>;
  /** How many wait, and for how many milliseconds the oldest. */
  backlog(): Promise<{ waiting: number; oldestMs: number }>;
}

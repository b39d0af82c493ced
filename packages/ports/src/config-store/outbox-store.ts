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

/** What became of the messages of a round; what is in neither list waits for the next one. */
export interface OutboxOutcome {
  published: readonly bigint[];
  /** Messages that can never pass, and why: they stay in the outbox and are not handed over again. */
  setAside: readonly { id: bigint; reason: string }[];
}

export interface SetAsideMessage {
  id: bigint;
  topic: string;
  key: string;
  bytes: number;
  reason: string;
  at: Date;
}

export interface OutboxBacklog {
  /** Messages that wait to be published. */
  waiting: number;
  /** For how many milliseconds the oldest of them has. */
  oldestMs: number;
  setAside: number;
}

/** Every message carries the whole state of its key: a newer one of the same topic and key stands for all before it. */
export interface OutboxStore {
  /**
   * Hands the oldest messages to `publish`, at most `limit` of them and about 8 MiB, at least one. Only one relay does so
   * at a time.
   * Removes what was published, and what was set aside earlier of the same topic and key.
   * Answers how many no longer wait; `busy`: another relay is at it.
   */
  drain(limit: number, publish: (messages: OutboxMessage[]) => Promise<OutboxOutcome>): Promise<number | 'busy'>;
  backlog(): Promise<OutboxBacklog>;
  /** What was set aside, newest first. */
  setAside(limit: number): Promise<SetAsideMessage[]>;
}

export interface OutboxMessage {
  id: bigint;
  topic: string;
  key: string;
  payload: unknown;
}

/** The results for the messages of a round; a message in neither list waits for the next round. */
export interface OutboxOutcome {
  published: readonly bigint[];
  /** Messages that can never be published, and why: they stay in the outbox and are not passed to `publish` again. */
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
  /** For how many milliseconds the oldest of them has waited. */
  oldestMs: number;
  setAside: number;
}

/** Every message has the whole state of its key: a newer one of the same topic and key replaces all before it. */
export interface OutboxStore {
  /**
   * Passes the oldest messages to `publish`, at most `limit` and about 8 MiB, at least one. Only one relay at a time does so.
   * Removes published messages, and earlier set-aside ones of the same topic and key. Returns how many no longer wait; `busy`:
   * another relay is working.
   */
  drain(limit: number, publish: (messages: OutboxMessage[]) => Promise<OutboxOutcome>): Promise<number | 'busy'>;
  backlog(): Promise<OutboxBacklog>;
  /** The newest message that waits to be published. @param upTo looks only at this message and older ones. null: none waits */
  newestWaiting(upTo?: bigint): Promise<bigint | null>;
  /** Messages that were set aside, newest first. */
  setAside(limit: number): Promise<SetAsideMessage[]>;
}

/** How a topic is created when it is missing. An existing topic is left as it is; it must have at least as many partitions. */
export interface TopicSettings {
  name: string;
  partitions: number;
  cleanup: 'delete' | 'compact';
  /** Milliseconds; ignored for compacted topics. */
  retentionMs: number;
}

export interface BusMessage {
  key: string;
  /** null deletes the key from a compacted topic. */
  value: Buffer | null;
  headers?: Record<string, string>;
}

export interface ReceivedMessage extends BusMessage {
  partition: number;
  offset: bigint;
  /** Milliseconds since the epoch at which the log took it. */
  timestamp: number;
}

/**
 * The result of a publish. `refused`: nothing of it is or will be in the log, so "not accepted" is certain. `unknown`: the
 * messages may be in the log, for example because the answer was lost; a resend must reuse the event id. `unacceptable`: the log
 * refused these messages (too large, invalid); sending them again cannot help.
 */
export type PublishResult = { ok: true } | { ok: false; outcome: 'refused' | 'unknown'; message: string; unacceptable?: true };

/** None may throw or reject: that is a bug, stops the subscription, and `failed` resolves with it. */
export interface PartitionHandlers {
  /** The group gave this member the partition; messages follow from the committed offset. */
  assigned(partition: number): void;
  /** The partition was revoked: nothing of it may be committed any more. */
  revoked(partition: number): void;
  /**
   * Messages in log order. The next batch of the partition comes when the promise resolves.
   */
  messages(partition: number, messages: ReceivedMessage[]): void | Promise<void>;
}

export interface Subscription {
  /**
   * Resolves (never rejects) with the error of a handler, or with an error that the adapter cannot recover from. The subscription
   * then stops by itself: its partitions are revoked and move to other members. To continue, subscribe again.
   */
  readonly failed: Promise<unknown>;
  /**
   * Commits the next offset to read, per partition. Commits of partitions no longer owned are ignored. Never rejects and never
   * hangs: offsets that the log did not store within a few seconds are kept and tried again while the partition is owned.
   */
  commit(offsets: { partition: number; next: bigint }[]): Promise<void>;
  pause(partition: number): void;
  resume(partition: number): void;
  /**
   * Reads a partition again from an offset: the batch that its handler has now is finished without effect, and the next batch
   * starts there. An offset below the log's start continues at the log's start, if the subscription was made with `fromStart`.
   * Nothing happens when the member does not have the partition. The committed offset stays until another one is committed.
   */
  rewind(partition: number, next: bigint): void;
  /** Milliseconds since the last sign of life from the broker (fetch or heartbeat), for readiness. */
  silentForMs(): number;
  /** Leaves the group; resolves when no handler runs any more. */
  stop(): Promise<void>;
}

export interface Follower {
  /** Resolves when everything that was in the topic at the start has been delivered. */
  caughtUp: Promise<void>;
  /** Resolves (never rejects) with what `onMessages` rejected with; the follower has then stopped. */
  readonly failed: Promise<unknown>;
  silentForMs(): number;
  stop(): Promise<void>;
}

/**
 * A partitioned, replicated log. Order holds per partition; delivery is at least once per group.
 * Adapters: Kafka, embedded Postgres; twin: in memory. All pass `eventBusConformance`.
 */
export interface EventBus {
  /** Creates missing topics; refuses to go on when an existing one has another cleanup policy or fewer partitions. */
  ensureTopics(topics: readonly TopicSettings[]): Promise<void>;
  /**
   * The last known partition count of an existing topic. To choose partitions with it, read it once, so that a record stays in
   * its partition.
   */
  partitions(topic: string): Promise<number>;
  /**
   * Appends messages to one partition, in order, all or nothing as far as the log allows. Resolves when every in-sync replica has
   * them. Messages that wait while a send is under way are sent together (group commit, at most 512 KiB a batch, one request in
   * flight per topic and partition leader). Bounded: beyond the buffer limit, or after waiting too long, it answers `refused`.
   */
  publish(topic: string, partition: number, messages: readonly BusMessage[]): Promise<PublishResult>;
  /**
   * `lingerMs`: the log may delay messages by this time to deliver more of them at once. `member`: the name by which
   * `removeMember` finds this member.
   */
  subscribe(options: {
    topic: string;
    group: string;
    handlers: PartitionHandlers;
    fromStart?: boolean;
    lingerMs?: number;
    member?: string;
  }): Promise<Subscription>;
  /**
   * Removes the members of this name from a group, because their process has died: the others get their partitions without
   * waiting until the log finds out. One that lives loses its partitions and joins again.
   * @returns how many there were
   */
  removeMember(topic: string, group: string, member: string): Promise<number>;
  /** Reads a whole topic from its start and goes on following it, without a group. For compacted topics. */
  follow(options: { topic: string; onMessages(messages: ReceivedMessage[]): void | Promise<void> }): Promise<Follower>;
  /** Committed and end offsets of a group, per partition. */
  lag(topic: string, group: string): Promise<{ partition: number; committed: bigint; end: bigint }[]>;
  /**
   * When the log took the oldest message that a group has not committed, in milliseconds since the epoch; null when there is
   * none. Right to a second or an eighth of its age, whichever is more: logs find times, not messages.
   */
  oldestUnread(topic: string, group: string): Promise<number | null>;
  /** True while the broker answers. */
  healthy(): boolean;
  close(): Promise<void>;
}

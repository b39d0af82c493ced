import { checkPartitions, createPartitionReader, createPublishQueue, type PartitionReader, type PublishEntry } from '../../bus-kit';
import type {
  EventBus,
  Follower,
  PublishResult,
  ReceivedMessage,
  Subscription,
  TopicSettings,
} from '../../event-bus';
import { createMemoryGroup, type MemoryGroup } from './memory-group';

/** The log itself: buses made on the same one see each other, as processes on one broker do. */
export interface MemoryLog {
  readonly topics: Map<string, MemoryTopic>;
}

interface MemoryTopic {
  settings: TopicSettings;
  partitions: ReceivedMessage[][];
  groups: Map<string, MemoryGroup>;
  onAppend: Set<() => void>;
}

export interface MemoryBusOptions {
  log?: MemoryLog;
  /** Default 64 MiB. */
  maxBufferBytes?: number;
  /** Decides over each publish: `refused` and `lost` keep it out of the log, `unknown` takes it and loses the answer. */
  fault?(topic: string, partition: number): 'refused' | 'unknown' | 'lost' | undefined;
  /** Milliseconds since the epoch. Default: the machine's clock. */
  now?(): number;
}

const maxRead = 1_000;

export function createMemoryLog(): MemoryLog {
  return { topics: new Map() };
}

/** Twin of the event bus: everything in memory, groups and rebalances included. Compacted topics keep every message. */
export function createMemoryBus(options: MemoryBusOptions = {}): EventBus {
  const { log = createMemoryLog(), now = Date.now } = options;
  const queue = createPublishQueue({
    send: async (topic, batch) => batch.map((entry) => append(topic, entry)),
    maxBufferBytes: options.maxBufferBytes,
  });
  const open = new Set<{ stop(): Promise<void> }>();
  let closed = false;

  const topicOf = (name: string): MemoryTopic => {
    const topic = log.topics.get(name);
    if (!topic) throw new Error(`Topic ${name} does not exist.`);
    return topic;
  };
  const append = (name: string, { partition, messages }: PublishEntry): PublishResult => {
    const topic = log.topics.get(name);
    const entries = topic?.partitions[partition];
    if (!topic || !entries) return { ok: false, outcome: 'refused', message: `Topic ${name} has no partition ${partition}.` };
    const fault = options.fault?.(name, partition);
    if (fault === 'refused') return { ok: false, outcome: 'refused', message: 'Refused by the test.' };
    if (fault !== 'lost') {
      for (const message of messages) entries.push({ ...message, partition, offset: BigInt(entries.length), timestamp: now() });
      for (const wake of topic.onAppend) wake();
    }
    return fault ? { ok: false, outcome: 'unknown', message: 'The test lost the answer.' } : { ok: true };
  };
  const track = <T extends { stop(): Promise<void> }>(member: T): T => {
    open.add(member);
    return member;
  };

  return {
    ensureTopics: async (topics) => {
      for (const settings of topics) ensureTopic(log, settings);
    },
    partitions: async (name) => topicOf(name).partitions.length,
    publish: (topic, partition, messages) => queue.push(topic, partition, messages),
    subscribe: async (input) => track(subscribe(topicOf(input.topic), input)),
    removeMember: async (topic, group, member) => topicOf(topic).groups.get(group)?.remove(member) ?? 0,
    follow: async ({ topic, onMessages }) => track(follow(topicOf(topic), onMessages)),
    lag: async (name, group) => {
      const topic = topicOf(name);
      const committed = topic.groups.get(group)?.committed;
      return topic.partitions.map((entries, partition) => ({
        partition,
        committed: committed?.get(partition) ?? 0n,
        end: BigInt(entries.length),
      }));
    },
    oldestUnread: async (name, group) => {
      const topic = topicOf(name);
      const committed = topic.groups.get(group)?.committed;
      const times = topic.partitions.flatMap(
        (entries, partition) => entries[Number(committed?.get(partition) ?? 0n)]?.timestamp ?? [],
      );
      return times.length === 0 ? null : Math.min(...times);
    },
    healthy: () => !closed,
    close: async () => {
      closed = true;
      await Promise.all([queue.close(), ...[...open].map((member) => member.stop())]);
    },
  };
}

function ensureTopic(log: MemoryLog, settings: TopicSettings): void {
  const existing = log.topics.get(settings.name);
  if (existing && existing.settings.cleanup !== settings.cleanup) {
    throw new Error(`Topic ${settings.name} exists with cleanup ${existing.settings.cleanup}, wanted ${settings.cleanup}.`);
  }
  if (existing) return checkPartitions(settings, existing.partitions.length);
  const partitions = Array.from({ length: settings.partitions }, () => []);
  log.topics.set(settings.name, { settings, partitions, groups: new Map(), onAppend: new Set() });
}

function readerOf(
  topic: MemoryTopic,
  hooks: Pick<Parameters<typeof createPartitionReader>[0], 'deliver' | 'atEnd' | 'failed'>,
): PartitionReader {
  const read = async (wanted: { partition: number; next: bigint }[]): Promise<Map<number, ReceivedMessage[]>> =>
    new Map(
      wanted.map(({ partition, next }) => {
        const entries = topic.partitions[partition] ?? [];
        // A log that has lost its end is read from its start, as Kafka does it (`auto.offset.reset`).
        const from = next > BigInt(entries.length) ? 0 : Number(next);
        return [partition, entries.slice(from, from + maxRead)];
      }),
    );
  // Every append wakes the reader, so the poll interval is long.
  return createPartitionReader({ read, pollMs: 60_000, ...hooks });
}

function subscribe(
  topic: MemoryTopic, { group: groupName, handlers, fromStart = false, member }: Parameters<EventBus['subscribe']>[0],
): Subscription {
  const group = topic.groups.get(groupName) ?? createMemoryGroup(topic.partitions.length);
  topic.groups.set(groupName, group);
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<unknown>((resolve) => (fail = resolve));
  const reader = readerOf(topic, {
    deliver: (partition, messages) => handlers.messages(partition, messages),
    failed: (error) => giveUp(error),
  });
  const giveUp = (error: unknown): void => {
    fail(error);
    void reader.stop();
    // The group may be assigning partitions now.
    queueMicrotask(() => leave());
  };
  const tell = (handler: () => void): void => {
    try {
      handler();
    } catch (error) {
      giveUp(error);
    }
  };
  topic.onAppend.add(reader.wake);
  const leaveGroup = group.join({
    assigned: (partition) => tell(() => {
      const start = fromStart ? 0n : BigInt(topic.partitions[partition]?.length ?? 0);
      handlers.assigned(partition);
      reader.add(partition, group.committed.get(partition) ?? start);
    }),
    revoked: (partition) => {
      reader.remove(partition);
      tell(() => handlers.revoked(partition));
    },
  }, member);
  const leave = (): void => {
    topic.onAppend.delete(reader.wake);
    leaveGroup();
  };
  return {
    failed,
    commit: async (offsets) => {
      for (const { partition, next } of offsets) if (reader.has(partition)) group.committed.set(partition, next);
    },
    pause: reader.pause,
    resume: reader.resume,
    rewind: reader.rewind,
    silentForMs: () => 0,
    stop: async () => {
      const idle = reader.stop();
      leave();
      await idle;
    },
  };
}

function follow(topic: MemoryTopic, onMessages: (messages: ReceivedMessage[]) => void | Promise<void>): Follower {
  const behind = new Set(topic.partitions.keys());
  let caughtUp: () => void = () => undefined;
  const whenCaughtUp = new Promise<void>((resolve) => (caughtUp = resolve));
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<unknown>((resolve) => (fail = resolve));
  let turn = Promise.resolve();
  const reader = readerOf(topic, {
    deliver: (_partition, messages) => (turn = turn.then(() => onMessages(messages))),
    atEnd: (partition) => {
      behind.delete(partition);
      if (behind.size === 0) caughtUp();
    },
    failed: fail,
  });
  topic.onAppend.add(reader.wake);
  for (const partition of topic.partitions.keys()) reader.add(partition, 0n);
  const stop = (): Promise<void> => {
    topic.onAppend.delete(reader.wake);
    return reader.stop();
  };
  return { caughtUp: whenCaughtUp, failed, silentForMs: () => 0, stop };
}

import type { ReceivedMessage } from '@sluice/ports';
import type { Batch, Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { groupIdOf } from '../client/group-id';
import type { KafkaBusOptions } from '../client/kafka-bus-options';
import { createKafkaClient } from '../client/kafka-client';
import { FetchRest } from './fetch-rest';
import type { FetchedFrom } from './partition-pump';
import { type Holding, stickyAssigner } from './sticky-assigner';

export interface ConsumerRunOptions {
  bus: KafkaBusOptions;
  topic: string;
  group: string;
  fromStart: boolean;
  lingerMs?: number | undefined;
  /** The partitions of this member, for the sticky assignment. */
  holding(): Holding;
  /** The group is forming a new generation; `joined` follows. */
  rebalancing(): void;
  /** A generation of the group began. `sameMember`: the member stayed in the group, and no other had its partitions. */
  joined(partitions: number[], sameMember: boolean): void;
  /**
   * @returns false: they must be fetched again, from the offset that the partition was set to
   */
  messages(partition: number, messages: ReceivedMessage[], fetch: FetchedFrom): boolean;
  /** The broker answered a heartbeat. */
  alive(): void;
}

/** One life of a kafkajs consumer, from connecting to its first failure. */
export interface ConsumerRun {
  /** Resolves with the reason of its failure; it cannot be used afterwards. */
  ended: Promise<unknown>;
  consumer: Consumer;
  commit(offsets: readonly { partition: number; next: bigint }[]): Promise<void>;
  /** Leaves the group when the broker answers, and ends everything in any case. */
  end(): Promise<void>;
}

const heartbeatMs = 1_000;
/** How long a fetch waits at the broker for a first message. The broker answers at once when there is one. */
const fetchWaitMs = 200;
const fetchRestMs = 10;
/** The number of bytes at which the broker answers a lingering reader at once. */
const lingerBytes = 256 * 1024;
const goodbyeMs = 3_000;

export function startConsumer(options: ConsumerRunOptions): ConsumerRun {
  const { bus, topic } = options;
  const sessionTimeout = bus.sessionTimeoutMs ?? 6_000;
  const client = createKafkaClient(bus, 10_000);
  const consumer = client.kafka.consumer({
    groupId: groupIdOf(options.topic, options.group),
    sessionTimeout,
    rebalanceTimeout: sessionTimeout,
    heartbeatInterval: heartbeatMs,
    maxWaitTimeInMs: options.lingerMs ?? fetchWaitMs,
    minBytes: options.lingerMs === undefined ? 1 : lingerBytes,
    maxBytesPerPartition: 1024 * 1024,
    allowAutoTopicCreation: false,
    partitionAssigners: [stickyAssigner(topic, options.holding)],
    // A failure that kafkajs cannot recover from within a few tries leads to a new consumer.
    retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 1_000, restartOnFailure: () => Promise.resolve(false) },
  });
  const rest = new FetchRest(fetchRestMs);
  let memberId: string | undefined;
  let commitOnce: EachBatchPayload['commitOffsetsIfNecessary'] | undefined;
  const ended = new Promise<unknown>((resolve) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error));
    consumer.on(consumer.events.HEARTBEAT, () => options.alive());
    consumer.on(consumer.events.REBALANCING, () => options.rebalancing());
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      const sameMember = payload.memberId === memberId;
      memberId = payload.memberId;
      options.alive();
      options.joined(payload.memberAssignment[topic] ?? [], sameMember);
    });
    start().catch(resolve);
  });

  async function start(): Promise<void> {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: options.fromStart });
    await consumer.run({
      autoCommit: false,
      partitionsConsumedConcurrently: 64,
      // A batch counts as read only when it is accepted: after a rewind, a batch fetched before it is refused.
      eachBatchAutoResolve: false,
      eachBatch: async ({ batch, heartbeat, resolveOffset, isStale, commitOffsetsIfNecessary }) => {
        commitOnce = commitOffsetsIfNecessary;
        const taken =
          !isStale() &&
          options.messages(
            batch.partition,
            batch.messages.map((message) => fromKafka(batch.partition, message)),
            { from: fetchedFrom(batch), logEnd: BigInt(batch.highWatermark) },
          );
        if (taken) resolveOffset(batch.lastOffset());
        await heartbeat();
        await rest.over();
      },
    });
  }

  return {
    ended,
    consumer,
    commit: async (offsets) => {
      const partitions = offsets.map(({ partition, next }) => ({ partition, offset: String(next) }));
      // With the batch's own commit function if there is one: `commitOffsets` tries again after a rebalance, and would then
      // commit in the new generation for partitions that belong to others.
      if (commitOnce) await commitOnce({ topics: [{ topic, partitions }] });
      else await consumer.commitOffsets(partitions.map((entry) => ({ topic, ...entry })));
    },
    end: async () => {
      // The group will notice by itself, later, that this member has left.
      const goodbye = consumer.disconnect().catch((error: unknown) =>
        bus.logger?.debug('a Kafka consumer ended without leaving its group', { topic, error }));
      await Promise.race([goodbye, new Promise((resolve) => setTimeout(resolve, goodbyeMs).unref())]);
      client.cut();
    },
  };
}

/** The offset a batch was fetched from: before its first message where the log has a gap. */
function fetchedFrom(batch: Batch): bigint {
  const { fetchedOffset } = batch as Batch & { fetchedOffset?: string };
  return BigInt(fetchedOffset ?? batch.firstOffset() ?? 0);
}

function fromKafka(partition: number, { key, value, headers, offset, timestamp }: KafkaMessage): ReceivedMessage {
  return {
    partition,
    offset: BigInt(offset),
    key: key?.toString() ?? '',
    value,
    headers: textHeaders(headers),
    timestamp: Number(timestamp),
  };
}

/** Most messages carry none. */
function textHeaders(headers: KafkaMessage['headers']): Record<string, string> | undefined {
  let texts: Record<string, string> | undefined;
  for (const name in headers) {
    const given = headers[name];
    texts ??= {};
    texts[name] = String(Array.isArray(given) ? given[0] : given);
  }
  return texts;
}

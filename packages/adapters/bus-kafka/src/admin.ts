import type { TopicSettings } from '@sluice/ports';
import { checkPartitions } from '@sluice/ports/bus-kit';
import { type Admin, ConfigResourceTypes } from 'kafkajs';
import { nameOf } from './cluster/broker-address';
import type { ClusterView } from './cluster/cluster-view';
import { groupIdOf } from './client/group-id';
import type { KafkaBusOptions } from './client/kafka-bus-options';
import { createKafkaClient, type KafkaClient } from './client/kafka-client';
import { protocolError } from './publishing/publish-outcome';

export interface PartitionRange {
  partition: number;
  low: bigint;
  end: bigint;
}

/** Requests about topics and groups. */
export interface KafkaAdmin {
  ensureTopics(topics: readonly TopicSettings[]): Promise<void>;
  ranges(topic: string): Promise<PartitionRange[]>;
  /** Committed offsets by partition; those without one are left out. */
  committed(topic: string, group: string): Promise<Map<number, bigint>>;
  /** By partition the first offset that the log took at `time` (milliseconds) or later, its end when there is none. */
  offsetsAt(topic: string, time: number): Promise<Map<number, bigint>>;
  close(): Promise<void>;
}

interface Connected {
  client: KafkaClient;
  admin: Promise<Admin>;
}

const requestTimeoutMs = 5_000;

export function createKafkaAdmin(
  options: KafkaBusOptions,
  view: Pick<ClusterView, 'look' | 'knownPartitions' | 'answering'>,
): KafkaAdmin {
  let current: Connected | undefined;

  /** Starts with the broker that answered last: kafkajs stays with a broker that accepts connections and does not answer. */
  const connect = (): Connected => {
    const answering = view.answering();
    const client = createKafkaClient(
      { ...options, brokers: answering ? [nameOf(answering), ...options.brokers] : options.brokers },
      requestTimeoutMs,
    );
    const admin = client.kafka.admin();
    return { client, admin: admin.connect().then(() => admin) };
  };
  /** An error that is no answer of the broker may be caused by the connection: the next request gets a new one. */
  const ask = async <T,>(question: (admin: Admin) => Promise<T>): Promise<T> => {
    const link = (current ??= connect());
    try {
      return await question(await link.admin);
    } catch (error) {
      if (protocolError(error) === undefined) {
        link.client.cut();
        if (current === link) current = undefined;
      }
      throw error;
    }
  };
  const create = async (topics: readonly TopicSettings[]): Promise<void> => {
    const existing = new Set(await ask((admin) => admin.listTopics()));
    const brokers = (await ask((admin) => admin.describeCluster())).brokers.length;
    const replicas = options.replicationFactor ?? Math.min(3, brokers);
    for (const topic of topics) if (!existing.has(topic.name)) await ask((admin) => createTopic(admin, topic, replicas));
  };
  const check = async (topic: TopicSettings): Promise<void> => {
    await onceKnown(() => ask((admin) => checkCleanup(admin, topic)));
    await onceKnown(() => view.look(topic.name).then(() => assertKnown(topic.name, view.knownPartitions(topic.name))));
    checkPartitions(topic, view.knownPartitions(topic.name) as number);
  };

  return {
    ensureTopics: async (topics) => {
      await create(topics);
      for (const topic of topics) await check(topic);
      // A broker lists a new topic before it accepts messages for it. A broker that answers with its offsets leads it.
      for (const { name } of topics) await onceKnown(() => ask((admin) => admin.fetchTopicOffsets(name)));
    },
    ranges: async (topic) => {
      const offsets = await onceKnown(() => ask((admin) => admin.fetchTopicOffsets(topic)));
      return offsets
        .map(({ partition, low, high }) => ({ partition, low: BigInt(low), end: BigInt(high) }))
        .sort((a, b) => a.partition - b.partition);
    },
    committed: async (topic, group) => {
      const [answer] = await ask((admin) => admin.fetchOffsets({ groupId: groupIdOf(topic, group), topics: [topic] }));
      const given = (answer?.partitions ?? []).filter(({ offset }) => Number(offset) >= 0);
      return new Map(given.map(({ partition, offset }): [number, bigint] => [partition, BigInt(offset)]));
    },
    offsetsAt: async (topic, time) => {
      const offsets = await ask((admin) => admin.fetchTopicOffsetsByTimestamp(topic, time));
      return new Map(offsets.map(({ partition, offset }): [number, bigint] => [partition, BigInt(offset)]));
    },
    close: async () => {
      const last = current;
      current = undefined;
      // No request is under way any more: a connection that does not end by itself is cut.
      const goodbye = last?.admin
        .then((admin) => admin.disconnect())
        .catch((error: unknown) => options.logger?.debug('a Kafka connection did not end in order', { error }));
      await Promise.race([goodbye, new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
      last?.client.cut();
    },
  };
}

/** The answers of a broker that does not know a new topic yet. */
const notHeardYet = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION']);
const hearPatienceMs = 10_000;

/** Repeats a request until all brokers know a new topic. */
async function onceKnown<T>(ask: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + hearPatienceMs; ; ) {
    try {
      return await ask();
    } catch (error) {
      const unheard = notHeardYet.has(protocolError(error) ?? '') || /does not exist/.test(String(error));
      if (!unheard || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function assertKnown(topic: string, partitions: number | undefined): void {
  if (partitions === undefined) throw new Error(`Topic ${topic} does not exist.`);
}

async function createTopic(
  admin: Admin,
  { name, partitions, cleanup, retentionMs }: TopicSettings,
  replicationFactor: number,
): Promise<void> {
  const settings = {
    'cleanup.policy': cleanup,
    ...(cleanup === 'delete' ? { 'retention.ms': retentionMs } : {}),
    // With three brokers, an acknowledged message is on two of them.
    'min.insync.replicas': replicationFactor >= 3 ? 2 : 1,
  };
  const configEntries = Object.entries(settings).map(([key, value]) => ({ name: key, value: String(value) }));
  // Whether all brokers know it is checked afterwards (`onceKnown`): kafkajs gives up on a broker that does not know it yet.
  await admin.createTopics({
    waitForLeaders: false,
    topics: [{ topic: name, numPartitions: partitions, replicationFactor, configEntries }],
  });
}

async function checkCleanup(admin: Admin, { name, cleanup }: TopicSettings): Promise<void> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name, configNames: ['cleanup.policy'] }],
  });
  const existing = resources[0]?.configEntries.find(({ configName }) => configName === 'cleanup.policy')?.configValue;
  if (existing !== cleanup) throw new Error(`Topic ${name} exists with cleanup ${existing}, wanted ${cleanup}.`);
}

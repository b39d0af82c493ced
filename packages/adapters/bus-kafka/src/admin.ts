import type { TopicSettings } from '@sluice/ports';
import { type Admin, ConfigResourceTypes } from 'kafkajs';
import { groupIdOf } from './group-id';
import type { KafkaBusOptions } from './kafka-bus-options';
import { createKafkaClient } from './kafka-client';
import { protocolError } from './publish-outcome';

export interface PartitionRange {
  partition: number;
  low: bigint;
  end: bigint;
}

/** Questions about topics and groups, over one connection that also shows whether the cluster answers. */
export interface KafkaAdmin {
  ensureTopics(topics: readonly TopicSettings[]): Promise<void>;
  /** @throws when the topic does not exist or the cluster does not answer */
  partitions(topic: string): Promise<number>;
  knownPartitions(topic: string): number | undefined;
  ranges(topic: string): Promise<PartitionRange[]>;
  /** Committed offsets by partition; those without one are left out. */
  committed(topic: string, group: string): Promise<Map<number, bigint>>;
  /** By partition the first offset that the log took at `time` (milliseconds) or later, its end when there is none. */
  offsetsAt(topic: string, time: number): Promise<Map<number, bigint>>;
  healthy(): boolean;
  close(): Promise<void>;
}

const pingMs = 2_000;

export function createKafkaAdmin(options: KafkaBusOptions): KafkaAdmin {
  const counts = new Map<string, number>();
  const looking = new Map<string, Promise<number>>();
  const client = createKafkaClient(options, 5_000);
  const admin = client.kafka.admin();
  let connecting: Promise<Admin> | undefined;
  let alive = false;
  let closed = false;

  const connected = (): Promise<Admin> => {
    connecting ??= admin.connect().then(() => admin);
    connecting.catch(() => (connecting = undefined));
    return connecting;
  };
  const ping = async (): Promise<void> => {
    alive = await connected().then((link) => link.describeCluster()).then(() => true, () => false);
    // A fresh connection next time: kafkajs may hold on to a broker that has moved.
    if (!alive) connecting = undefined;
  };
  let timer: NodeJS.Timeout | undefined;
  const pinging = async (): Promise<void> => {
    await ping();
    if (!closed) timer = setTimeout(() => void pinging(), pingMs);
  };
  void pinging();

  const look = async (topic: string): Promise<number> => {
    const { topics } = await (await connected()).fetchTopicMetadata({ topics: [topic] }).catch((error: unknown) => {
      throw protocolError(error) === 'UNKNOWN_TOPIC_OR_PARTITION' ? new Error(`Topic ${topic} does not exist.`) : error;
    });
    const count = topics[0]?.partitions.length ?? 0;
    if (count === 0) throw new Error(`Topic ${topic} does not exist.`);
    counts.set(topic, count);
    return count;
  };

  return {
    ensureTopics: async (topics) => {
      const link = await connected();
      const existing = new Set(await link.listTopics());
      const brokers = (await link.describeCluster()).brokers.length;
      for (const topic of topics) if (!existing.has(topic.name)) await createTopic(link, topic, options.replicationFactor ?? Math.min(3, brokers));
      for (const topic of topics) await onceKnown(() => checkCleanup(link, topic));
      for (const { name } of topics) await onceKnown(() => look(name));
      // A broker tells of a new topic before it takes messages for it. A produce that comes too early fails for some partitions
      // only, and is then repeated for all of them. Whoever answers for its offsets leads it.
      for (const { name } of topics) await onceKnown(() => link.fetchTopicOffsets(name));
    },
    partitions: (topic) => {
      const known = counts.get(topic);
      if (known !== undefined) return Promise.resolve(known);
      const running = looking.get(topic) ?? look(topic).finally(() => looking.delete(topic));
      looking.set(topic, running);
      return running;
    },
    knownPartitions: (topic) => counts.get(topic),
    ranges: async (topic) => {
      const link = await connected();
      const offsets = await onceKnown(() => link.fetchTopicOffsets(topic));
      return offsets.map(({ partition, low, high }) => ({ partition, low: BigInt(low), end: BigInt(high) })).sort((a, b) => a.partition - b.partition);
    },
    committed: async (topic, group) => {
      const [answer] = await (await connected()).fetchOffsets({ groupId: groupIdOf(topic, group), topics: [topic] });
      const given = (answer?.partitions ?? []).filter(({ offset }) => Number(offset) >= 0);
      return new Map(given.map(({ partition, offset }): [number, bigint] => [partition, BigInt(offset)]));
    },
    offsetsAt: async (topic, time) => {
      const offsets = await (await connected()).fetchTopicOffsetsByTimestamp(topic, time);
      return new Map(offsets.map(({ partition, offset }): [number, bigint] => [partition, BigInt(offset)]));
    },
    healthy: () => alive && !closed,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await Promise.race([admin.disconnect().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
      client.cut();
    },
  };
}

/** What a broker says of a topic that was created a moment ago and that it has not heard of yet. */
const notHeardYet = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION']);
const hearPatienceMs = 10_000;

/** Asks again while the news of a new topic travels through the cluster. */
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

async function createTopic(admin: Admin, { name, partitions, cleanup, retentionMs }: TopicSettings, replicationFactor: number): Promise<void> {
  const settings = {
    'cleanup.policy': cleanup,
    ...(cleanup === 'delete' ? { 'retention.ms': retentionMs } : {}),
    // A message that is acknowledged is on two machines wherever there are three.
    'min.insync.replicas': replicationFactor >= 3 ? 2 : 1,
  };
  const configEntries = Object.entries(settings).map(([key, value]) => ({ name: key, value: String(value) }));
  // Whether it is known everywhere is asked afterwards (`onceKnown`): kafkajs gives up on a broker that has not heard of it.
  await admin.createTopics({ waitForLeaders: false, topics: [{ topic: name, numPartitions: partitions, replicationFactor, configEntries }] });
}

async function checkCleanup(admin: Admin, { name, cleanup }: TopicSettings): Promise<void> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name, configNames: ['cleanup.policy'] }],
  });
  const existing = resources[0]?.configEntries.find(({ configName }) => configName === 'cleanup.policy')?.configValue;
  if (existing !== cleanup) throw new Error(`Topic ${name} exists with cleanup ${existing}, wanted ${cleanup}.`);
}

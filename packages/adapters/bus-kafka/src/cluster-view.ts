import { type BrokerAddress, type BrokerLink, type ClusterAnswer, openBrokerLink } from './broker-link';
import { firstAnswer } from './first-answer';
import type { KafkaBusOptions } from './kafka-bus-options';
import { createErrorFromCode } from './kafkajs-internals';
import { withinTime } from './within-time';

/**
 * What the cluster looks like: brokers, partitions and their leaders. Read every two seconds and whenever it proves wrong, from
 * any broker that answers: a broker that hangs delays it by half a second.
 */
export interface ClusterView {
  /** Partitions of a topic, from memory. */
  knownPartitions(topic: string): number | undefined;
  /** @throws when the topic does not exist or no broker answers */
  partitions(topic: string): Promise<number>;
  /** Node id of a partition's leader; undefined while it has none, or while it is in doubt. */
  leaderOf(topic: string, partition: number): number | undefined;
  addressOf(node: number): BrokerAddress | undefined;
  /**
   * A send to this leader failed: for one partition of the topic, or for all that it leads. They have no leader until the next
   * read.
   */
  distrust(topic: string, leader: number, partition?: number): void;
  /** Reads now, also this topic. @throws when no broker answers */
  look(topic: string): Promise<void>;
  /** The address that answered last. */
  answering(): BrokerAddress | undefined;
  /** The last read got an answer. */
  healthy(): boolean;
  close(): void;
}

export interface ClusterViewParts {
  /** Called after each read. */
  changed(): void;
  open?: typeof openBrokerLink;
}

const lookEveryMs = 2_000;
const lookTimeoutMs = 3_000;
const hedgeMs = 500;
const unknownTopic = 3;

export function createClusterView(options: KafkaBusOptions, { changed, open = openBrokerLink }: ClusterViewParts): ClusterView {
  const bootstrap = options.brokers.map(parseAddress);
  const links = new Map<string, BrokerLink>();
  const leaders = new Map<string, number[]>();
  const wanted = new Set<string>();
  const problems = new Map<string, string>();
  let brokers = new Map<number, BrokerAddress>();
  let first: string | undefined;
  let looking: { topics: readonly string[]; done: Promise<void> } | undefined;
  let alive = false;
  /** The last read got no answer: logged once. */
  let silent = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const drop = (name: string, link: BrokerLink): void => {
    link.cut();
    if (links.get(name) === link) links.delete(name);
  };
  const ask = async (address: BrokerAddress, topics: readonly string[]): Promise<ClusterAnswer> => {
    if (closed) throw new Error('The bus is closed.');
    const name = nameOf(address);
    const link = links.get(name) ?? open(options, address, lookTimeoutMs);
    links.set(name, link);
    try {
      const answer = await withinTime(lookTimeoutMs, link.metadata(topics));
      first = name;
      return answer;
    } catch (error) {
      drop(name, link);
      throw error;
    }
  };
  const learn = (topic: string, count: number, next: number[]): void => {
    const before = leaders.get(topic)?.length ?? count;
    if (before !== count)
      options.logger?.warn('The partition count of a topic has changed while it is in use: the order of a record may be lost.', {
        topic,
        before,
        now: count,
      });
    leaders.set(topic, next);
  };
  const apply = (answer: ClusterAnswer, asked: readonly string[]): void => {
    brokers = new Map(answer.brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }]));
    const named = new Set([...brokers.values(), ...bootstrap].map(nameOf));
    for (const [name, link] of links) if (!named.has(name)) drop(name, link);
    for (const { topic, topicErrorCode, partitionMetadata } of answer.topicMetadata) {
      if (!wanted.has(topic)) continue;
      // A broker may not know a new topic yet, or still know a deleted one: a known topic is kept, without leaders.
      if (topicErrorCode === unknownTopic) leaders.get(topic)?.fill(-1);
      problems.set(
        topic,
        topicErrorCode === unknownTopic
          ? `Topic ${topic} does not exist.`
          : `Topic ${topic}: ${createErrorFromCode(topicErrorCode).message}`,
      );
      if (topicErrorCode !== 0) continue;
      problems.delete(topic);
      const next = partitionMetadata.map(() => -1);
      for (const { partitionId, leader } of partitionMetadata) next[partitionId] = leader;
      learn(topic, partitionMetadata.length, next);
    }
    for (const topic of asked) if (!leaders.has(topic)) wanted.delete(topic);
  };
  const lookNow = async (topics: readonly string[], avoid: string | undefined): Promise<void> => {
    try {
      const targets = inTurn([...brokers.values(), ...bootstrap], first, avoid);
      const answer = await firstAnswer(targets, (address) => ask(address, topics), hedgeMs);
      if (silent) options.logger?.info('The Kafka cluster answers again.');
      [alive, silent] = [true, false];
      if (!closed) apply(answer, topics);
    } catch (error) {
      if (!silent && !closed) options.logger?.warn('No Kafka broker tells what the cluster looks like.', { error });
      [alive, silent] = [false, true];
      throw error;
    } finally {
      looking = undefined;
      changed();
    }
  };
  const look = (avoid?: string): Promise<void> => {
    const topics = [...wanted];
    looking ??= { topics, done: lookNow(topics, avoid) };
    return looking.done;
  };
  const lookAt = async (topic: string): Promise<void> => {
    // Waits for the read under way to end; `lookNow` has logged its failure.
    while (looking && !looking.topics.includes(topic)) await looking.done.catch(() => undefined);
    wanted.add(topic);
    // The caller found the view wrong: another broker may have newer metadata.
    await look(first);
  };
  const lookOnAndOn = async (): Promise<void> => {
    // `lookNow` has logged its failure; the next read comes in any case.
    await look().catch(() => undefined);
    if (!closed) timer = setTimeout(() => void lookOnAndOn(), lookEveryMs);
  };
  void lookOnAndOn();

  return {
    knownPartitions: (topic) => leaders.get(topic)?.length,
    partitions: async (topic) => {
      if (!leaders.has(topic)) await lookAt(topic);
      const count = leaders.get(topic)?.length;
      if (count === undefined) throw new Error(problems.get(topic) ?? `Nothing is known of topic ${topic}.`);
      return count;
    },
    leaderOf: (topic, partition) => {
      const leader = leaders.get(topic)?.[partition] ?? -1;
      return leader < 0 ? undefined : leader;
    },
    addressOf: (node) => brokers.get(node),
    distrust: (topic, leader, partition) => {
      const known = leaders.get(topic) ?? [];
      known.forEach((node, index) => {
        if (node === leader && (partition ?? index) === index) known[index] = -1;
      });
    },
    look: lookAt,
    answering: () => [...brokers.values(), ...bootstrap].find((address) => nameOf(address) === first),
    healthy: () => alive && !closed,
    close: () => {
      closed = true;
      clearTimeout(timer);
      for (const [name, link] of links) drop(name, link);
    },
  };
}

export function parseAddress(text: string): BrokerAddress {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}

export function nameOf({ host, port }: BrokerAddress): string {
  return `${host}:${port}`;
}

/** Each address once: the one that answered last first, the one to avoid last. */
function inTurn(addresses: readonly BrokerAddress[], first: string | undefined, avoid: string | undefined): BrokerAddress[] {
  const each = new Map(addresses.map((address) => [nameOf(address), address]));
  const rank = (name: string): number => (name === avoid ? 2 : name === first ? 0 : 1);
  return [...each].sort(([a], [b]) => rank(a) - rank(b)).map(([, address]) => address);
}

import { type BrokerAddress, nameOf, parseAddress } from './broker-address';
import { type ClusterAnswer, openBrokerLink } from './broker-link';
import { firstAnswer } from './first-answer';
import type { KafkaBusOptions } from '../client/kafka-bus-options';
import { MetadataLinks } from './metadata-links';
import { TopicLeaders } from './topic-leaders';

export interface ClusterViewParts {
  /** Called after each read. */
  changed(): void;
  open?: typeof openBrokerLink;
}

const readEveryMs = 2_000;
const hedgeMs = 500;

/**
 * What the cluster looks like: brokers, partitions and their leaders. Read every two seconds and whenever it proves wrong, from
 * any broker that answers: a broker that hangs delays it by half a second.
 *
 * Invariants:
 * - At most one read is under way (`reading`). Who needs another topic waits for it to end, and begins the next.
 * - `brokers` and `topics` are those of the last answer, but for leaders that proved wrong since. They stay while none answers.
 */
export class ClusterView {
  private readonly bootstrap: readonly BrokerAddress[];
  private readonly links: MetadataLinks;
  private readonly topics: TopicLeaders;
  private brokers = new Map<number, BrokerAddress>();
  private reading: { topics: readonly string[]; done: Promise<void> } | undefined;
  /** The name of the address that answered last. */
  private lastAnswering: string | undefined;
  /** How the last read ended; undefined before the first has. */
  private lastRead: 'answered' | 'failed' | undefined;
  private closed = false;
  private timer: NodeJS.Timeout | undefined;

  /** Reads from now on, until `close`. */
  constructor(private readonly options: KafkaBusOptions, private readonly parts: ClusterViewParts) {
    this.bootstrap = options.brokers.map(parseAddress);
    this.links = new MetadataLinks(options, parts.open ?? openBrokerLink);
    this.topics = new TopicLeaders(options.logger);
    void this.readOnAndOn();
  }

  /** Partitions of a topic, from memory. */
  knownPartitions(topic: string): number | undefined {
    return this.topics.countOf(topic);
  }

  /** @throws when the topic does not exist or no broker answers */
  async partitions(topic: string): Promise<number> {
    if (this.topics.countOf(topic) === undefined) await this.look(topic);
    const count = this.topics.countOf(topic);
    if (count === undefined) throw new Error(this.topics.problemOf(topic) ?? `Nothing is known of topic ${topic}.`);
    return count;
  }

  /** Node id of a partition's leader; undefined while it has none, or while it is in doubt. */
  leaderOf(topic: string, partition: number): number | undefined {
    return this.topics.leaderOf(topic, partition);
  }

  addressOf(node: number): BrokerAddress | undefined {
    return this.brokers.get(node);
  }

  /**
   * A send to this leader failed: for one partition of the topic, or for all that it leads. They have no leader until the next
   * read.
   */
  distrust(topic: string, leader: number, partition?: number): void {
    this.topics.distrust(topic, leader, partition);
  }

  /** Reads now, also this topic. @throws when no broker answers */
  async look(topic: string): Promise<void> {
    // Waits for the read under way to end; it has logged its failure.
    while (this.reading && !this.reading.topics.includes(topic)) await this.reading.done.catch(() => undefined);
    this.topics.want(topic);
    // The caller found the view wrong: another broker may have newer metadata.
    await this.read(this.lastAnswering);
  }

  /** The address that answered last. */
  answering(): BrokerAddress | undefined {
    return this.addresses().find((address) => nameOf(address) === this.lastAnswering);
  }

  /** The last read got an answer. */
  healthy(): boolean {
    return this.lastRead === 'answered' && !this.closed;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.links.close();
  }

  private async readOnAndOn(): Promise<void> {
    // The read has logged its failure; the next one comes in any case.
    await this.read().catch(() => undefined);
    if (!this.closed) this.timer = setTimeout(() => void this.readOnAndOn(), readEveryMs);
  }

  private read(avoid?: string): Promise<void> {
    const topics = this.topics.wantedTopics();
    this.reading ??= { topics, done: this.readOnce(topics, avoid) };
    return this.reading.done;
  }

  private async readOnce(topics: readonly string[], avoid: string | undefined): Promise<void> {
    try {
      const targets = inTurn(this.addresses(), this.lastAnswering, avoid);
      this.answered(await firstAnswer(targets, (address) => this.ask(address, topics), hedgeMs), topics);
    } catch (error) {
      this.failed(error);
      throw error;
    } finally {
      this.reading = undefined;
      this.parts.changed();
    }
  }

  private async ask(address: BrokerAddress, topics: readonly string[]): Promise<ClusterAnswer> {
    const answer = await this.links.ask(address, topics);
    this.lastAnswering = nameOf(address);
    return answer;
  }

  private answered(answer: ClusterAnswer, asked: readonly string[]): void {
    if (this.lastRead === 'failed') this.options.logger?.info('The Kafka cluster answers again.');
    this.lastRead = 'answered';
    if (this.closed) return;
    this.brokers = new Map(answer.brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }]));
    this.links.keepOnly(this.addresses());
    this.topics.learn(answer, asked);
  }

  /** Logged once, until a read gets an answer. */
  private failed(error: unknown): void {
    if (this.lastRead !== 'failed' && !this.closed)
      this.options.logger?.warn('No Kafka broker tells what the cluster looks like.', { error });
    this.lastRead = 'failed';
  }

  private addresses(): BrokerAddress[] {
    return [...this.brokers.values(), ...this.bootstrap];
  }
}

/** Each address once: the one that answered last first, the one to avoid last. */
function inTurn(addresses: readonly BrokerAddress[], first: string | undefined, avoid: string | undefined): BrokerAddress[] {
  const each = new Map(addresses.map((address) => [nameOf(address), address]));
  const rank = (name: string): number => (name === avoid ? 2 : name === first ? 0 : 1);
  return [...each].sort(([a], [b]) => rank(a) - rank(b)).map(([, address]) => address);
}

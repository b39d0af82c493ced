import type { Logger } from '@sluice/ports';
import type { ClusterAnswer } from './broker-link';
import { createErrorFromCode } from '../client/kafkajs-internals';

type TopicAnswer = ClusterAnswer['topicMetadata'][number];

/** Kafka's error code of a topic that does not exist. */
const unknownTopic = 3;
const noLeader = -1;

/**
 * The topics that somebody asked for, and the leaders of their partitions.
 *
 * Invariants:
 * - A topic in `leaders` is `wanted`. One that the cluster did not know when it was asked for is not wanted any more, so that
 *   later reads do not ask for it; one that was known once stays.
 * - `leaders` has the node id of the leader of each partition, or `noLeader` while there is none or it is in doubt.
 */
export class TopicLeaders {
  private readonly leaders = new Map<string, number[]>();
  private readonly wanted = new Set<string>();
  private readonly problems = new Map<string, string>();

  constructor(private readonly logger: Logger | undefined) {}

  want(topic: string): void {
    this.wanted.add(topic);
  }

  wantedTopics(): string[] {
    return [...this.wanted];
  }

  /** Partitions of a topic; undefined: nothing is known of it. */
  countOf(topic: string): number | undefined {
    return this.leaders.get(topic)?.length;
  }

  /** Why nothing is known of a topic, if the cluster said why. */
  problemOf(topic: string): string | undefined {
    return this.problems.get(topic);
  }

  leaderOf(topic: string, partition: number): number | undefined {
    const leader = this.leaders.get(topic)?.[partition] ?? noLeader;
    return leader < 0 ? undefined : leader;
  }

  /** A leader is in doubt: for one partition of the topic, or for all that it leads. */
  distrust(topic: string, leader: number, partition?: number): void {
    const known = this.leaders.get(topic) ?? [];
    known.forEach((node, index) => {
      if (node === leader && (partition ?? index) === index) known[index] = noLeader;
    });
  }

  /** Takes in what the cluster answered to a question about `asked`. */
  learn({ topicMetadata }: ClusterAnswer, asked: readonly string[]): void {
    for (const answer of topicMetadata) if (this.wanted.has(answer.topic)) this.learnTopic(answer);
    for (const topic of asked) if (!this.leaders.has(topic)) this.wanted.delete(topic);
  }

  private learnTopic({ topic, topicErrorCode: code, partitionMetadata }: TopicAnswer): void {
    if (code === 0) {
      this.problems.delete(topic);
      this.setLeaders(topic, partitionMetadata);
    } else if (code === unknownTopic) {
      // A broker may not know a new topic yet, or still know a deleted one: a known topic is kept, without leaders.
      this.leaders.get(topic)?.fill(noLeader);
      this.problems.set(topic, `Topic ${topic} does not exist.`);
    } else {
      this.problems.set(topic, `Topic ${topic}: ${createErrorFromCode(code).message}`);
    }
  }

  private setLeaders(topic: string, partitions: TopicAnswer['partitionMetadata']): void {
    const now = partitions.length;
    const before = this.countOf(topic) ?? now;
    if (before !== now)
      this.logger?.warn('The partition count of a topic has changed while it is in use: the order of a record may be lost.', {
        topic, before, now,
      });
    const leaders = partitions.map(() => noLeader);
    for (const { partitionId, leader } of partitions) leaders[partitionId] = leader;
    this.leaders.set(topic, leaders);
  }
}

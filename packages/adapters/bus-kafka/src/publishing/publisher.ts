import type { BusMessage } from '@sluice/ports';
import type { PublishEntry, PublishQueueOptions, SendResult } from '@sluice/ports/bus-kit';
import { type BrokerAddress, nameOf } from '../cluster/broker-address';
import { type BrokerLink, openBrokerLink } from '../cluster/broker-link';
import type { ClusterView } from '../cluster/cluster-view';
import type { ProducePartition } from '../client/encode-produce';
import type { KafkaBusOptions } from '../client/kafka-bus-options';
import { connectTimeoutMs } from '../client/kafka-client';
import { afterFailure, answeredWith, type FailedAttempt, unanswered } from './publish-outcome';
import { withinTime } from '../client/within-time';

/**
 * Sends the batches of a publish queue. A channel is a topic and the broker that leads the partitions (its node id), with a
 * connection of its own; a partition without a known leader has a channel of its own, which looks for the leader instead of
 * sending.
 *
 * Without kafkajs's idempotent producer: after a failed send it rolls its sequence back, and a later message can be acknowledged
 * without being in the log. A repeated send may therefore append twice; readers drop repeats.
 */
export interface Publisher {
  channelOf(topic: string, partition: number): number;
  send: PublishQueueOptions['send'];
  close(): Promise<void>;
}

export interface PublisherParts {
  view: Pick<ClusterView, 'leaderOf' | 'addressOf' | 'distrust' | 'look' | 'knownPartitions'>;
  open?: typeof openBrokerLink;
}

/** Milliseconds before the leader is looked up again, by the attempts so far. An election takes about as long as all of them. */
const waits = [0, 100, 200, 400, 800];
/** Of the failed sends of a topic at most one in this time is logged, in milliseconds. */
const reportEveryMs = 5_000;

export function createPublisher(options: KafkaBusOptions, { view, open = openBrokerLink }: PublisherParts): Publisher {
  const requestTimeoutMs = options.requestTimeoutMs ?? 5_000;
  const links = new Map<string, BrokerLink>();
  const reported = new Map<string, number>();

  /** The next step for each entry of a batch after the same failure. */
  const fail = (topic: string, entries: readonly PublishEntry[], attempt: FailedAttempt): SendResult[] => {
    if (performance.now() - (reported.get(topic) ?? -Infinity) >= reportEveryMs) {
      reported.set(topic, performance.now());
      options.logger?.warn('Kafka did not acknowledge messages.', {
        topic,
        partition: entries[0]?.partition,
        unknown: attempt.unsure,
        reason: attempt.message,
      });
    }
    return entries.map(({ history }) => afterFailure(history, attempt));
  };
  const linkTo = (topic: string, leader: number, address: BrokerAddress): BrokerLink => {
    const name = `${topic}/${leader}`;
    const known = links.get(name);
    if (known && nameOf(known.address) === nameOf(address)) return known;
    known?.cut();
    const link = open(options, address, requestTimeoutMs);
    links.set(name, link);
    return link;
  };
  /**
   * After a failure the connection is closed, so that no late answer is matched to a later request, and the leaders of all its
   * partitions are looked up again.
   */
  const giveUp = (topic: string, leader: number, link: BrokerLink | undefined): void => {
    link?.cut();
    links.delete(`${topic}/${leader}`);
    view.distrust(topic, leader);
  };
  const findLeader = async (topic: string, batch: readonly PublishEntry[]): Promise<SendResult[]> => {
    const partition = (batch[0] as PublishEntry).partition;
    const attempts = Math.max(...batch.map(({ history }) => history?.attempts ?? 0));
    await new Promise((resolve) => setTimeout(resolve, waits[attempts] ?? 0));
    const problem = await view.look(topic).then(() => undefined, (error: unknown) => unanswered(error, false));
    const count = view.knownPartitions(topic) ?? 0;
    if (view.leaderOf(topic, partition) !== undefined) return batch.map(tryAgain);
    const gone: FailedAttempt = {
      unsure: false,
      final: !problem && partition >= count,
      message: `Partition ${partition} of topic ${topic} has no leader.`,
    };
    return fail(topic, batch, problem ?? gone);
  };
  const sendTo = async (topic: string, batch: readonly PublishEntry[], leader: number): Promise<SendResult[]> => {
    const address = view.addressOf(leader);
    const link = address && linkTo(topic, leader, address);
    const before = link?.produceRequests() ?? 0;
    try {
      if (!link) throw new Error(`Nothing is known of broker ${leader}.`);
      if (!link.connected()) {
        await withinTime(Math.min(connectTimeoutMs, requestTimeoutMs), link.connect());
        // Returned to the queue, because entries that became too old meanwhile must not be sent.
        return batch.map(tryAgain);
      }
      // The broker's timeout is shorter than ours, so that the broker reports the timeout.
      const codes = await withinTime(
        requestTimeoutMs,
        link.produce(topic, byPartition(batch), Math.ceil(requestTimeoutMs * 0.8)),
      );
      for (const [partition, code] of codes) if (code !== 0) view.distrust(topic, leader, partition);
      // An entry is acknowledged only when the answer names its partition with error code 0.
      return batch.flatMap((entry) =>
        codes.get(entry.partition) === 0 ? { ok: true } : fail(topic, [entry], answeredWith(codes.get(entry.partition))),
      );
    } catch (error) {
      const wrote = (link?.produceRequests() ?? 0) > before;
      giveUp(topic, leader, link);
      return fail(topic, batch, unanswered(error, wrote));
    }
  };

  return {
    channelOf: (topic, partition) => view.leaderOf(topic, partition) ?? -1 - partition,
    send: (topic, batch, channel) => (channel < 0 ? findLeader(topic, batch) : sendTo(topic, batch, channel)),
    close: async () => {
      const last = [...links.values()];
      links.clear();
      // No request is under way any more; connections that do not end in time are cut.
      const goodbyes = last.map((link) => link.disconnect().catch((error: unknown) =>
        options.logger?.debug('a Kafka connection did not end in order', { error })));
      await Promise.race([Promise.all(goodbyes), new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
      for (const link of last) link.cut();
    },
  };
}

/** Returned to its line without an attempt. */
function tryAgain({ history }: PublishEntry): SendResult {
  return { again: history ?? { attempts: 0, unsure: 0, message: '' } };
}

function byPartition(batch: readonly PublishEntry[]): ProducePartition[] {
  const groups = new Map<number, BusMessage[]>();
  for (const { partition, messages } of batch) {
    const group = groups.get(partition);
    if (!group) groups.set(partition, [...messages]);
    else for (const message of messages) group.push(message);
  }
  return [...groups].map(([partition, messages]) => ({ partition, messages }));
}

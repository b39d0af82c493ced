import type { EventBus, PublishResult } from '@sluice/ports';
import { createPublishQueue } from '@sluice/ports/bus-kit';
import { createKafkaAdmin } from './admin';
import { parseAddress } from './cluster/broker-address';
import { ClusterView } from './cluster/cluster-view';
import { follow } from './consuming/follow';
import { groupIdOf } from './client/group-id';
import type { KafkaBusOptions } from './client/kafka-bus-options';
import { oldestUnread } from './consuming/oldest-unread';
import { createPublisher } from './publishing/publisher';
import { removeMembers } from './remove-members';
import { subscribe } from './consuming/subscribe';

/** An event bus on Kafka. Nothing connects before it is needed, except for reading the cluster metadata. */
export function createKafkaBus(options: KafkaBusOptions): EventBus {
  const view = new ClusterView(options, { changed: () => queue.wake() });
  const admin = createKafkaAdmin(options, view);
  const publisher = createPublisher(options, { view });
  const queue = createPublishQueue({
    maxBufferBytes: options.maxBufferBytes,
    maxAgeMs: options.publishMaxAgeMs,
    channelOf: publisher.channelOf,
    send: publisher.send,
  });
  const open = new Set<{ stop(): Promise<void> }>();

  const push = (
    topic: string,
    count: number,
    partition: number,
    messages: Parameters<EventBus['publish']>[2],
  ): Promise<PublishResult> =>
    partition >= 0 && partition < count
      ? queue.push(topic, partition, messages)
      : refuse(`Topic ${topic} has no partition ${partition}.`);
  /** Kafka makes the ids of members itself, and shows their client ids with them. */
  const clientIdOf = (member: string): string => `${options.clientId}.${member}`;
  const track = <T extends { stop(): Promise<void> }>(reader: T): T => {
    open.add(reader);
    return reader;
  };

  const standingOf: EventBus['lag'] = async (topic, group) => {
    const [ranges, committed] = await Promise.all([admin.ranges(topic), admin.committed(topic, group)]);
    return ranges.map(({ partition, low, end }) => ({ partition, committed: committed.get(partition) ?? low, end }));
  };
  return {
    ensureTopics: admin.ensureTopics,
    partitions: (topic) => view.partitions(topic),
    publish: (topic, partition, messages) => {
      const known = view.knownPartitions(topic);
      if (known !== undefined) return push(topic, known, partition, messages);
      return view.partitions(topic).then(
        (count) => push(topic, count, partition, messages),
        (error: Error) => refuse(error.message),
      );
    },
    subscribe: async ({ topic, group, handlers, fromStart, lingerMs, member }) => {
      await view.partitions(topic);
      return track(
        subscribe({
          bus: member === undefined ? options : { ...options, clientId: clientIdOf(member) },
          topic,
          group,
          handlers,
          fromStart: fromStart === true,
          lingerMs,
          standing: () => standingOf(topic, group),
        }),
      );
    },
    removeMember: (topic, group, member) =>
      removeMembers(options, view.answering() ?? parseAddress(options.brokers[0]!), groupIdOf(topic, group), clientIdOf(member)),
    follow: async ({ topic, onMessages }) => track(await follow({ bus: options, admin, topic, standingOf, onMessages })),
    lag: standingOf,
    oldestUnread: async (topic, group) => {
      const waiting = (await standingOf(topic, group)).filter(({ committed, end }) => committed < end);
      return oldestUnread(waiting, (time) => admin.offsetsAt(topic, time), Date.now());
    },
    healthy: () => view.healthy(),
    close: async () => {
      await queue.close();
      view.close();
      await Promise.all([...open].map((reader) => reader.stop()));
      await Promise.all([admin.close(), publisher.close()]);
    },
  };
}

function refuse(message: string): Promise<PublishResult> {
  return Promise.resolve({ ok: false, outcome: 'refused', message });
}

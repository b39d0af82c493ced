import { randomUUID } from 'node:crypto';
import type { EventBus, Follower, ReceivedMessage } from '@sluice/ports';
import type { KafkaAdmin } from '../admin';
import type { KafkaBusOptions } from '../client/kafka-bus-options';
import { subscribe } from './subscribe';

export interface FollowInput {
  bus: KafkaBusOptions;
  admin: Pick<KafkaAdmin, 'ranges'>;
  topic: string;
  /** How far a group has read a topic. */
  standingOf: EventBus['lag'];
  onMessages(messages: ReceivedMessage[]): void | Promise<void>;
}

/**
 * Reads a topic from its start as the only member of a group made for it, one batch at a time over all partitions. It commits
 * while it reads, so that it does not start again after a broken connection; the broker deletes such groups by itself.
 */
export async function follow({ bus, admin, topic, standingOf, onMessages }: FollowInput): Promise<Follower> {
  const ranges = await admin.ranges(topic);
  const behind = new Map(ranges.filter(({ low, end }) => end > low).map(({ partition, end }) => [partition, end]));
  let catchUp: () => void = () => undefined;
  const caughtUp = new Promise<void>((resolve) => (catchUp = resolve));
  let turn = Promise.resolve();
  const group = `${bus.clientId}.follow.${randomUUID()}`;
  const subscription = subscribe({
    bus,
    topic,
    group,
    fromStart: true,
    standing: () => standingOf(topic, group),
    handlers: {
      assigned: () => undefined,
      revoked: () => undefined,
      messages: async (partition, messages) => {
        await (turn = turn.then(() => onMessages(messages)));
        const next = (messages[messages.length - 1] as ReceivedMessage).offset + 1n;
        void subscription.commit([{ partition, next }]);
        if (next >= (behind.get(partition) ?? 0n)) behind.delete(partition);
        if (behind.size === 0) catchUp();
      },
    },
  });
  if (behind.size === 0) catchUp();
  return {
    caughtUp, failed: subscription.failed,
    silentForMs: () => subscription.silentForMs(),
    stop: () => subscription.stop(),
  };
}

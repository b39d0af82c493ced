import type { Follower, ReceivedMessage } from '@sluice/ports';
import { createPartitionReader } from '@sluice/ports/bus-kit';
import type { Pool } from 'pg';
import { readMessages } from './read-messages';
import type { KnownTopic } from './topics';
import type { WakeChannel } from './wake-channel';

export interface FollowInput {
  pool: Pool;
  wakes: WakeChannel;
  topic: KnownTopic;
  onMessages(messages: ReceivedMessage[]): void | Promise<void>;
  pollMs: number;
}

/** Reads a topic from its start, one batch at a time over all partitions, and follows it. */
export async function follow({ pool, wakes, topic, onMessages, pollMs }: FollowInput): Promise<Follower> {
  const { rows } = await pool.query<{ partition: number; end: string }>(
    'SELECT partition, next_offset AS end FROM sluice_bus.partitions WHERE topic_id = $1',
    [topic.id],
  );
  const behind = new Map(rows.filter(({ end }) => end !== '0').map(({ partition, end }) => [partition, BigInt(end)]));
  let lastSign = performance.now();
  let catchUp: () => void = () => undefined;
  const caughtUp = new Promise<void>((resolve) => (catchUp = resolve));
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<unknown>((resolve) => (fail = resolve));
  const arrived = (partition: number): void => {
    behind.delete(partition);
    if (behind.size === 0) catchUp();
  };
  let turn = Promise.resolve();
  const reader = createPartitionReader({
    read: async (wanted) => {
      const batches = await readMessages(pool, topic.id, wanted);
      lastSign = performance.now();
      return batches;
    },
    deliver: async (partition, messages) => {
      await (turn = turn.then(() => onMessages(messages)));
      const last = messages[messages.length - 1] as ReceivedMessage;
      if (last.offset + 1n >= (behind.get(partition) ?? 0n)) arrived(partition);
    },
    // Nothing is left to read, although the end offset may be higher: compaction also removes old deletions at the end.
    atEnd: arrived,
    failed: fail,
    pollMs,
  });
  if (behind.size === 0) catchUp();
  for (const { partition } of rows) reader.add(partition, 0n);
  const unlisten = wakes.on(`t${topic.id}`, reader.wake);
  const stop = (): Promise<void> => {
    unlisten();
    return reader.stop();
  };
  return { caughtUp, failed, silentForMs: () => performance.now() - lastSign, stop };
}

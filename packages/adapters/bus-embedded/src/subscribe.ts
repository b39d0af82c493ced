import type { PartitionHandlers, Subscription } from '@sluice/ports';
import { createCommitter, createPartitionReader } from '@sluice/ports/bus-kit';
import type { Pool } from 'pg';
import { GroupStore, type MemberIdentity, type Ownership } from './group-store';
import { readMessages } from './read-messages';
import type { KnownTopic } from './topics';
import { pause, type WakeChannel } from './wake-channel';

export interface SubscribeInput {
  pool: Pool;
  wakes: WakeChannel;
  topic: KnownTopic;
  group: string;
  me: MemberIdentity;
  handlers: PartitionHandlers;
  fromStart: boolean;
  pollMs: number;
}

/**
 * One member of a group. A loop of heartbeats compares the assigned partitions with those being read: new ones are started, lost
 * ones dropped, and those that another member waits for are stopped first and passed on by the next heartbeat.
 */
export function subscribe(input: SubscribeInput): Subscription {
  const { pool, topic, group, me, handlers, wakes } = input;
  const store = new GroupStore(input);
  const epochs = new Map<number, string>();
  const committer = createCommitter({ tokenOf: (partition) => epochs.get(partition), store: (offsets) => store.commit(offsets) });
  let lastSign = performance.now();
  let lastHeard = lastSign;
  let leaving = false;
  let heartbeat = new AbortController();
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<unknown>((resolve) => (fail = resolve));

  const reader = createPartitionReader({
    read: async (wanted) => {
      const batches = await readMessages(pool, topic.id, wanted);
      lastSign = performance.now();
      return batches;
    },
    deliver: (partition, messages) => handlers.messages(partition, messages),
    failed: (error) => giveUp(error),
    pollMs: input.pollMs,
  });
  const drop = (partition: number): void => {
    epochs.delete(partition);
    reader.remove(partition);
    try {
      handlers.revoked(partition);
    } catch (error) {
      giveUp(error);
    }
  };
  const take = ({ partition, epoch, next }: Ownership): void => {
    epochs.set(partition, epoch);
    handlers.assigned(partition);
    reader.add(partition, next);
  };
  /** @returns whether a partition was stopped that the next heartbeat can pass on at once */
  const settle = (owned: Ownership[]): boolean => {
    const kept = new Map(owned.filter(({ keep }) => keep).map((ownership) => [ownership.partition, ownership]));
    for (const [partition, epoch] of [...epochs]) if (kept.get(partition)?.epoch !== epoch) drop(partition);
    for (const ownership of kept.values()) if (!epochs.has(ownership.partition)) take(ownership);
    return kept.size < owned.length;
  };
  const beat = async (): Promise<boolean> => {
    const began = performance.now();
    // The log cannot be reached: the next heartbeat tries again, and `silentForMs` shows it.
    const owned = await store.sync(new Set(epochs.keys())).catch(() => undefined);
    if (owned) lastSign = lastHeard = began;
    // No heartbeat for the time of a lease: others may have our partitions.
    else if (performance.now() - lastHeard > me.leaseMs) for (const partition of [...epochs.keys()]) drop(partition);
    if (!owned || leaving) return false;
    committer.flush();
    return settle(owned);
  };
  const loop = async (): Promise<void> => {
    while (!leaving) {
      heartbeat = new AbortController();
      const again = await beat();
      if (!again) await pause(Math.ceil(me.leaseMs / 5), heartbeat.signal);
    }
  };
  const unlisten = [wakes.on(`t${topic.id}`, reader.wake), wakes.on(`g${topic.id}:${group}`, () => heartbeat.abort())];
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= end());
  /** A handler threw, which is a bug of the caller. */
  const giveUp = (error: unknown): void => {
    fail(error);
    void stop().catch(fail);
  };
  const looping = loop().catch(giveUp);
  const end = async (): Promise<void> => {
    leaving = true;
    heartbeat.abort();
    await looping;
    for (const partition of [...epochs.keys()]) drop(partition);
    await reader.stop();
    unlisten.forEach((off) => off());
    committer.close();
    // When the log cannot be reached, the lease expires instead.
    await store.leave().catch(() => undefined);
    wakes.ring(`g${topic.id}:${group}`);
  };

  return {
    failed,
    commit: committer.commit,
    pause: reader.pause,
    resume: reader.resume,
    rewind: reader.rewind,
    silentForMs: () => performance.now() - lastSign,
    stop,
  };
}

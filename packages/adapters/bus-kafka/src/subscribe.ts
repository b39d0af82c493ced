import type { PartitionHandlers, Subscription } from '@sluice/ports';
import { createCommitter } from '@sluice/ports/bus-kit';
import { type ConsumerRun, startConsumer } from './consumer-run';
import type { KafkaBusOptions } from './kafka-bus-options';
import { createPartitionPump, type PartitionPump } from './partition-pump';
import { type StallWatchOptions, watchForStalls } from './stall-watch';

export interface SubscribeInput {
  bus: KafkaBusOptions;
  topic: string;
  group: string;
  handlers: PartitionHandlers;
  fromStart: boolean;
  lingerMs?: number | undefined;
  standing: StallWatchOptions['standing'];
}

/**
 * A partition that comes from a living member starts this much later, in milliseconds: both learn of the new generation at the
 * same time, and `revoked` of the old owner must be called first.
 */
const handoverMs = 250;
const restartMs = 500;
/** How often an idle member checks for unread messages; after two checks without progress it starts a new consumer. */
const stallLookMs = 2_000;

/**
 * One member of a group. kafkajs starts every partition again from its committed offset after each rebalance; here a partition
 * that stays with this member continues at its position, and its handler notices nothing. After a session without contact to the
 * broker, everything is given up and a new consumer starts.
 */
export function subscribe({ bus, topic, group, handlers, fromStart, lingerMs, standing }: SubscribeInput): Subscription {
  const pumps = new Map<number, PartitionPump>();
  const closing = new Set<Promise<void>>();
  const sessionTimeoutMs = bus.sessionTimeoutMs ?? 6_000;
  let run: ConsumerRun | undefined;
  let since = 0;
  let lastHeld: number[] = [];
  let lastSign = performance.now();
  let stopping = false;
  let joining = true;
  const ends = createEndLog({ bus, topic, group });
  let wakeUp: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (wakeUp = resolve));
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<unknown>((resolve) => (fail = resolve));

  const committer = createCommitter<PartitionPump>({
    tokenOf: (partition) => pumps.get(partition),
    store: async (offsets) => {
      if (!run) throw new Error('Not connected.');
      await run.commit(offsets);
    },
  });
  const drop = (partition: number): void => {
    const pump = pumps.get(partition);
    pumps.delete(partition);
    if (!pump) return;
    const closed = pump.close().finally(() => closing.delete(closed));
    closing.add(closed);
    if (pump.started()) tell(() => handlers.revoked(partition), giveUp);
  };
  const dropAll = (): void => {
    if (pumps.size > 0) lastHeld = [...pumps.keys()];
    for (const partition of [...pumps.keys()]) drop(partition);
  };
  const take = (partition: number): void => {
    const flow = (open: boolean): void => {
      const target = [{ topic, partitions: [partition] }];
      if (pumps.get(partition) !== pump) return;
      if (open) run?.consumer.resume(target);
      else run?.consumer.pause(target);
    };
    const pump = createPartitionPump({ deliver: (messages) => handlers.messages(partition, messages), flow, failed: giveUp });
    pumps.set(partition, pump);
    // kafkajs remembers pauses, also of a partition that was revoked in between.
    flow(true);
    setTimeout(() => {
      if (pumps.get(partition) !== pump) return;
      tell(() => {
        handlers.assigned(partition);
        pump.start();
      }, giveUp);
    }, handoverMs);
  };
  const joined = (partitions: number[], sameMember: boolean): void => {
    joining = false;
    ends.joined();
    if (stopping) return;
    for (const partition of [...pumps.keys()]) if (!sameMember || !partitions.includes(partition)) drop(partition);
    for (const partition of partitions) {
      const next = pumps.get(partition)?.next();
      if (!pumps.has(partition)) take(partition);
      else if (next !== undefined) run?.consumer.seek({ topic, partition, offset: String(next) });
    }
    since = Date.now();
  };
  /**
   * Joining waits for the slowest member, or for the session of a dead one to end: no other member gets our partitions meanwhile.
   */
  const patienceMs = (): number => (joining ? 2 * sessionTimeoutMs : sessionTimeoutMs + handoverMs);
  const live = async (): Promise<void> => {
    joining = true;
    const mine = startConsumer({
      bus, topic, group, fromStart, lingerMs, joined,
      rebalancing: () => void (joining = true),
      holding: () => ({ partitions: pumps.size > 0 ? [...pumps.keys()] : lastHeld, since }),
      messages: (partition, messages, fetch) => pumps.get(partition)?.push(messages, fetch) ?? true,
      alive: () => {
        lastSign = performance.now();
        committer.flush();
      },
    });
    run = mine;
    let watch: NodeJS.Timeout | undefined;
    const lost = new Promise<Error>((resolve) => {
      const began = performance.now();
      const silentMs = (): number => performance.now() - Math.max(lastSign, began);
      watch = setInterval(() => silentMs() > patienceMs() && resolve(new Error('The broker was silent for a session.')), 250);
    });
    let endWatch: () => void = () => undefined;
    const deaf = new Promise<void>((resolve) => {
      endWatch = watchForStalls({
        everyMs: stallLookMs, standing, fromStart,
        partitions: () => [...pumps].map(([partition, pump]) => ({ partition, next: pump.next(), idle: pump.idle() })),
        stalled: (partition) => {
          bus.logger?.warn('A Kafka consumer did not fetch available messages; it starts over.', { topic, group, partition });
          resolve();
        },
      });
    });
    const end = await Promise.race([mine.ended, lost, deaf, stopped]);
    if (end !== undefined) ends.ended(end);
    clearInterval(watch);
    endWatch();
    dropAll();
    // While it still sends heartbeats, so that others wait until our handlers are done.
    await (stopping ? Promise.all(closing) : undefined);
    run = undefined;
    await mine.end();
  };
  const supervise = async (): Promise<void> => {
    while (!stopping) {
      await live();
      if (!stopping) await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, restartMs).unref())]);
    }
    await Promise.all(closing);
  };
  /** A handler threw, which is a bug of the caller. */
  const giveUp = (error: unknown): void => {
    fail(error);
    stop().catch(fail);
  };
  const stop = (): Promise<void> => {
    stopping = true;
    committer.close();
    wakeUp();
    return supervising;
  };
  const supervising = supervise().catch(fail);

  return {
    failed,
    commit: committer.commit,
    pause: (partition) => pumps.get(partition)?.pause(),
    resume: (partition) => pumps.get(partition)?.resume(),
    rewind: (partition, next) => {
      const pump = pumps.get(partition);
      if (!pump) return;
      pump.rewind(next);
      run?.consumer.seek({ topic, partition, offset: String(next) });
    },
    silentForMs: () => performance.now() - lastSign,
    stop,
  };
}

function tell(handler: () => void, threw: (error: unknown) => void): void {
  try {
    handler();
  } catch (error) {
    threw(error);
  }
}

interface EndLog {
  ended(error: unknown): void;
  joined(): void;
}

/** Logs once why there is no consumer, because joining is tried twice a second. */
function createEndLog({ bus, topic, group }: Pick<SubscribeInput, 'bus' | 'topic' | 'group'>): EndLog {
  let told = false;
  return {
    ended: (error) => {
      if (!told) bus.logger?.warn('A Kafka consumer ended; it starts over until it has joined again.', { topic, group, error });
      told = true;
    },
    joined: () => { told = false; },
  };
}

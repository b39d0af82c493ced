import type { PartitionHandlers, Subscription } from '@sluice/ports';
import { type Committer, createCommitter } from '@sluice/ports/bus-kit';
import { type ConsumerRun, startConsumer } from './consumer-run';
import type { KafkaBusOptions } from '../client/kafka-bus-options';
import { handoverMs, MemberPartitions } from './member-partitions';
import type { PartitionPump } from './partition-pump';
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

const restartMs = 500;
/** How often an idle member checks for unread messages; after two checks without progress it starts a new consumer. */
const stallLookMs = 2_000;
/** How often a member checks for how long the broker was silent. */
const silenceLookMs = 250;

/** Joins a group, and stays in it until `stop` is called or a handler throws. */
export const subscribe = (input: SubscribeInput): Subscription => new GroupMember(input);

/** What ends a consumer, and the timers that look for it. */
interface Watch<Reason> {
  seen: Promise<Reason>;
  end(): void;
}

/**
 * One member of a group. After a session without contact to the broker, everything is given up and a new consumer starts.
 *
 * Invariants:
 * - At most one consumer runs (`run`). The next one starts when the former has ended, as long as the member is not stopping.
 * - The partitions are dropped at the end of each consumer. On a stop it sends heartbeats until their handlers are done.
 * - An offset is committed only while the member still has the pump under which it was read.
 */
class GroupMember implements Subscription {
  readonly failed: Promise<unknown>;
  private readonly partitions: MemberPartitions;
  private readonly committer: Committer;
  private readonly ends: EndLog;
  private run: ConsumerRun | undefined;
  /** When the present generation began, milliseconds since the epoch. */
  private since = 0;
  /** When the broker last answered, by `performance.now`. */
  private lastSign = performance.now();
  /** Since the group began to form a generation, until this member has joined it. */
  private joining = true;
  private stopping = false;
  private readonly stopped: Promise<void>;
  private wakeUp: () => void = () => undefined;
  private fail: (error: unknown) => void = () => undefined;
  private readonly supervising: Promise<void>;

  constructor(private readonly input: SubscribeInput) {
    const { topic, handlers } = input;
    this.stopped = new Promise((resolve) => (this.wakeUp = resolve));
    this.failed = new Promise((resolve) => (this.fail = resolve));
    this.ends = createEndLog(input);
    this.partitions = new MemberPartitions({
      topic, handlers, consumer: () => this.run?.consumer, threw: (error) => this.giveUp(error),
    });
    this.committer = createCommitter<PartitionPump>({
      tokenOf: (partition) => this.partitions.pumpOf(partition),
      store: async (offsets) => {
        if (!this.run) throw new Error('Not connected.');
        await this.run.commit(offsets);
      },
    });
    this.supervising = this.supervise().catch((error: unknown) => this.fail(error));
  }

  commit(offsets: { partition: number; next: bigint }[]): Promise<void> {
    return this.committer.commit(offsets);
  }

  pause(partition: number): void {
    this.partitions.pumpOf(partition)?.pause();
  }

  resume(partition: number): void {
    this.partitions.pumpOf(partition)?.resume();
  }

  rewind(partition: number, next: bigint): void {
    this.partitions.rewind(partition, next);
  }

  silentForMs(): number {
    return performance.now() - this.lastSign;
  }

  stop(): Promise<void> {
    this.stopping = true;
    this.committer.close();
    this.wakeUp();
    return this.supervising;
  }

  /** A handler threw, which is a bug of the caller. */
  private giveUp(error: unknown): void {
    this.fail(error);
    this.stop().catch((thrown: unknown) => this.fail(thrown));
  }

  private async supervise(): Promise<void> {
    while (!this.stopping) {
      await this.runConsumer();
      if (this.stopping) break;
      await Promise.race([this.stopped, new Promise((resolve) => setTimeout(resolve, restartMs).unref())]);
    }
    await this.partitions.closed();
  }

  /** One consumer, until it fails, seems to have failed, or the member stops. */
  private async runConsumer(): Promise<void> {
    this.joining = true;
    const run = this.start();
    this.run = run;
    const silence = this.watchForSilence();
    const stall = this.watchForStall();
    const reason = await Promise.race([run.ended, silence.seen, stall.seen, this.stopped]);
    if (reason !== undefined) this.ends.ended(reason);
    silence.end();
    stall.end();
    this.partitions.dropAll();
    // While it still sends heartbeats, so that others wait until our handlers are done.
    if (this.stopping) await this.partitions.closed();
    this.run = undefined;
    await run.end();
  }

  private start(): ConsumerRun {
    const { bus, topic, group, fromStart, lingerMs } = this.input;
    return startConsumer({
      bus, topic, group, fromStart, lingerMs,
      holding: () => ({ partitions: this.partitions.wanted(), since: this.since }),
      rebalancing: () => void (this.joining = true),
      joined: (partitions, sameMember) => this.joined(partitions, sameMember),
      messages: (partition, messages, fetch) => this.partitions.push(partition, messages, fetch),
      alive: () => {
        this.lastSign = performance.now();
        this.committer.flush();
      },
    });
  }

  private joined(partitions: number[], sameMember: boolean): void {
    this.joining = false;
    this.ends.joined();
    if (this.stopping) return;
    this.partitions.assign(partitions, sameMember);
    this.since = Date.now();
  }

  private watchForSilence(): Watch<Error> {
    let timer: NodeJS.Timeout | undefined;
    const began = performance.now();
    const seen = new Promise<Error>((resolve) => {
      timer = setInterval(() => {
        const silentMs = performance.now() - Math.max(this.lastSign, began);
        if (silentMs > this.patienceMs()) resolve(new Error('The broker was silent for a session.'));
      }, silenceLookMs);
    });
    return { seen, end: () => clearInterval(timer) };
  }

  /**
   * Joining waits for the slowest member, or for the session of a dead one to end: no other member gets our partitions meanwhile.
   */
  private patienceMs(): number {
    const sessionTimeoutMs = this.input.bus.sessionTimeoutMs ?? 6_000;
    return this.joining ? 2 * sessionTimeoutMs : sessionTimeoutMs + handoverMs;
  }

  private watchForStall(): Watch<void> {
    const { bus, topic, group, standing, fromStart } = this.input;
    let end: () => void = () => undefined;
    const seen = new Promise<void>((resolve) => {
      end = watchForStalls({
        everyMs: stallLookMs, standing, fromStart,
        partitions: () => this.partitions.states(),
        stalled: (partition) => {
          bus.logger?.warn('A Kafka consumer did not fetch available messages; it starts over.', { topic, group, partition });
          resolve();
        },
      });
    });
    return { seen, end };
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

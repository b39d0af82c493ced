import { eventIndexGroup } from '@sluice/contracts';
import type { EventBus, EventIndex, IndexedRange, PartitionHandlers, ReceivedMessage, Subscription } from '@sluice/ports';
import { StoreUnavailable } from '@sluice/ports';
import type { ReadingSupervisor, TopicReader } from '@sluice/service-kit';

/** How far a status may lag: fewer and fuller deliveries leave more CPU for accepting events. */
const lingerMs = 200;

/** A partition during one assignment, or since it was last read again from an earlier offset. */
export interface Reading {
  readonly partition: number;
  /** The highest position of the index that this process knows; the index may be further. */
  at: bigint;
  /** Whether its messages may be written; known once the database has answered with its position. */
  ready: Promise<boolean>;
}

export interface IndexedTopicDeps {
  bus: Pick<EventBus, 'subscribe' | 'lag'>;
  index: Pick<EventIndex, 'write' | 'position'>;
  supervisor: ReadingSupervisor;
  /** Takes in what was read; the next messages of the partition come when it resolves. */
  take(reading: Reading, messages: readonly ReceivedMessage[]): Promise<void>;
}

/**
 * Reads one topic for the event index. The committed offsets of the log are not enough: a database that was restored to an
 * earlier state lacks rows that were written. Its own positions show that, and the topic is read again from there (ADR 0052).
 */
export class IndexedTopic {
  private readonly readings = new Map<number, Reading>();
  private readonly next = new Map<number, bigint>();
  private readonly reader: TopicReader<Subscription>;
  private opening: Promise<Subscription> | undefined;
  private stopped = false;

  constructor(readonly topic: string, private readonly deps: IndexedTopicDeps) {
    const handlers: PartitionHandlers = {
      assigned: (partition) => this.assigned(partition),
      revoked: (partition) => this.forget(partition),
      messages: (partition, messages) => this.messages(partition, messages),
    };
    this.reader = deps.supervisor.reader({ topic, reader: eventIndexGroup }, () => {
      this.opening = deps.bus.subscribe({ topic, group: eventIndexGroup, fromStart: true, lingerMs, handlers });
      return this.opening;
    });
  }

  start(): Promise<void> {
    return this.reader.start();
  }

  /** Rows of a reading are written up to `next`. */
  landed(reading: Reading, next: bigint): void {
    if (next > reading.at) reading.at = next;
    if (this.isCurrent(reading)) this.next.set(reading.partition, next);
  }

  /** The database has the rows up to `next` and lacks later ones: the partition is read again from there. */
  async setBack(reading: Reading, next: bigint): Promise<void> {
    const subscription = await this.opening;
    if (!subscription || !this.isCurrent(reading)) return;
    // Without an await in between: every message delivered from now on was read from that offset.
    this.readings.set(reading.partition, { partition: reading.partition, at: next, ready: Promise.resolve(true) });
    this.next.delete(reading.partition);
    subscription.rewind(reading.partition, next);
  }

  async commit(): Promise<void> {
    const offsets = [...this.next].map(([partition, next]) => ({ partition, next }));
    this.next.clear();
    if (offsets.length > 0) await this.reader.current()?.commit(offsets);
  }

  /** Checks that the database still has the known position, also for partitions without new messages. */
  async look(): Promise<void> {
    const all = [...this.readings.values()];
    const isReady = await Promise.all(all.map(({ ready }) => ready));
    const readings = all.filter((reading, index) => isReady[index] && this.isCurrent(reading));
    const ranges = readings.map(({ partition, at }): IndexedRange => ({ topic: this.topic, partition, from: at, next: at }));
    // When the database is away, the writer waits for it.
    const behind = await this.deps.index.write([], ranges).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) return [];
      throw error;
    });
    for (const { partition, next } of behind) await this.setBack(readings.find((one) => one.partition === partition)!, next);
  }

  silentForMs(): number {
    return this.reader.current()?.silentForMs() ?? 0;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.reader.openNoMore();
    await this.commit();
    await this.reader.stop();
  }

  /** A partition was assigned or revoked: what was written in the last assignment must not be committed any more. */
  private forget(partition: number): void {
    this.readings.delete(partition);
    this.next.delete(partition);
  }

  private assigned(partition: number): void {
    this.forget(partition);
    const reading: Reading = { partition, at: 0n, ready: Promise.resolve(false) };
    this.readings.set(partition, reading);
    reading.ready = this.begin(reading);
  }

  /** @returns whether the messages may be written; false when the partition is read again from another offset */
  private async begin(reading: Reading): Promise<boolean> {
    const [{ topic, deps }, { partition }] = [this, reading];
    const found = await deps.supervisor.insist({ topic, reader: eventIndexGroup, partition }, async () => {
      const lag = await deps.bus.lag(topic, eventIndexGroup);
      const committed = lag.find((state) => state.partition === partition)?.committed ?? 0n;
      return { committed, stored: await deps.index.position({ topic, partition }) };
    }, () => !this.stopped && this.isCurrent(reading));
    if (found === null) return false;
    const { committed, stored } = found;
    reading.at = stored ?? committed;
    if (stored === null || stored >= committed) return true;
    await this.setBack(reading, stored);
    return false;
  }

  private async messages(partition: number, messages: readonly ReceivedMessage[]): Promise<void> {
    const reading = this.readings.get(partition);
    if (reading && (await reading.ready) && this.isCurrent(reading)) await this.deps.take(reading, messages);
  }

  private isCurrent(reading: Reading): boolean {
    return this.readings.get(reading.partition) === reading;
  }
}

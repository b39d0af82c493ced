import { eventIndexGroup } from '@sluice/contracts';
import type { EventBus, EventIndex, IndexedRange, PartitionHandlers, ReceivedMessage, Subscription } from '@sluice/ports';
import { StoreUnavailable } from '@sluice/ports';
import type { ReadingSupervisor, TopicReader } from '@sluice/service-kit';

/** A status may be this much behind: fewer, fuller deliveries leave the process to those who send. */
const lingerMs = 200;

/** A partition under one assignment, or since it was last set back. */
export interface Reading {
  readonly partition: number;
  /** The index stands here at least, as far as this process has heard. */
  at: bigint;
  /** Whether its messages may be taken in; known once the database has said where it stands. */
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
 * Reads one topic for the event index. The log's offsets are not believed alone: a database that was put back to an earlier state
 * lacks rows that were written, and says so by its own positions. Then it is read again from there (ADR 0052).
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

  /** The database stands at `next` and lacks what was written after it: the partition is read again from there. */
  async setBack(reading: Reading, next: bigint): Promise<void> {
    const subscription = await this.opening;
    if (!subscription || !this.isCurrent(reading)) return;
    // In one breath: what is handed over from here on was read from there.
    this.readings.set(reading.partition, { partition: reading.partition, at: next, ready: Promise.resolve(true) });
    this.next.delete(reading.partition);
    subscription.rewind(reading.partition, next);
  }

  async commit(): Promise<void> {
    const offsets = [...this.next].map(([partition, next]) => ({ partition, next }));
    this.next.clear();
    if (offsets.length > 0) await this.reader.current()?.commit(offsets);
  }

  /** Asks the database whether it still stands where it was heard to: also of partitions in which nothing comes. */
  async look(): Promise<void> {
    const all = [...this.readings.values()];
    const isReady = await Promise.all(all.map(({ ready }) => ready));
    const readings = all.filter((reading, index) => isReady[index] && this.isCurrent(reading));
    const ranges = readings.map(({ partition, at }): IndexedRange => ({ topic: this.topic, partition, from: at, next: at }));
    // A database that is away is waited for by whoever writes.
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

  /** A partition came or went: what was written of it under the last assignment is nobody's to commit. */
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

  /** @returns whether what is handed over may be taken in; not when the partition is read again from elsewhere */
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

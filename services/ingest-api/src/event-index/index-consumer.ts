import { eventIndexGroup, splitEnvelope } from '@sluice/contracts';
import { type EventBus, type EventIndex, type IndexRow, type Logger, type ReceivedMessage, StoreUnavailable, type Subscription } from '@sluice/ports';
import { type CheckResult, createTicker, type Metrics } from '@sluice/service-kit';
import { indexRow } from './index-row';
import { createIndexWriter, type IndexBatch } from './index-writer';

/** Rows handed to the writer at once; a delivery of the bus may hold more. */
const portion = 500;
const commitEveryMs = 250;
/** A status may be this much behind: fewer, fuller deliveries leave the process to those who send. */
const lingerMs = 200;
const silenceMs = 30_000;
/** A failing write that is not the database being away is a fault of ours after this time. */
const patienceMs = 10_000;
/** How long a stop waits for rows under way. */
const stopPatienceMs = 3_000;

export interface IndexConsumer {
  start(): Promise<void>;
  /** Leaves the groups; what is written is committed. */
  stop(): Promise<void>;
  /** Not ready when it makes no progress; waiting for the database is told, and keeps ingestion in service (DESIGN 4). */
  ready(): CheckResult;
}

export interface IndexConsumerDeps {
  bus: Pick<EventBus, 'subscribe'>;
  index: Pick<EventIndex, 'write'>;
  topics: readonly string[];
  logger: Logger;
  metrics: Metrics;
  now(): number;
  sleep(ms: number): Promise<void>;
}

export function createIndexConsumer(deps: IndexConsumerDeps): IndexConsumer {
  const { bus, logger } = deps;
  const writer = createIndexWriter(deps);
  const indexed = deps.metrics.counter({ name: 'events_indexed_total', help: 'Accepted units written to the event index.' });
  const unreadable = deps.metrics.counter({ name: 'events_unreadable_total', help: 'Messages on event topics that are no event envelope.' });
  const readers: TopicReader[] = [];
  const failures: unknown[] = [];
  let started = false;

  const rowsOf = (messages: readonly ReceivedMessage[]): IndexBatch => {
    const batch: IndexBatch = { rows: [], bytes: 0 };
    for (const { partition, offset, value } of messages) {
      const row = value && readRow(value, (error) => {
        unreadable.inc();
        logger.error('a message is no event envelope', { partition, offset: String(offset), error });
      });
      if (row) batch.rows.push(row);
      batch.bytes += value?.length ?? 0;
    }
    return batch;
  };
  const take = async (reader: TopicReader, partition: number, messages: readonly ReceivedMessage[]): Promise<void> => {
    for (let at = 0; at < messages.length; at += portion) {
      const part = messages.slice(at, at + portion);
      const batch = rowsOf(part);
      if (batch.rows.length > 0 && !(await writer.write(batch))) return;
      indexed.inc({}, batch.rows.length);
      reader.landed(partition, (part.at(-1) as ReceivedMessage).offset + 1n);
    }
  };
  const open = async (topic: string): Promise<void> => {
    const reader = createTopicReader();
    const subscription = await bus.subscribe({
      topic, group: eventIndexGroup, fromStart: true, lingerMs,
      handlers: { assigned: reader.forget, revoked: reader.forget, messages: (partition, messages) => take(reader, partition, messages) },
    });
    reader.use(subscription);
    readers.push(reader);
    void subscription.failed.then((error) => {
      failures.push(error);
      logger.error('the event index has stopped reading', { topic, error });
    });
  };
  const committer = createTicker({ name: 'event index commit', everyMs: commitEveryMs, logger, run: async () => void (await Promise.all(readers.map((reader) => reader.commit()))) });

  return {
    start: async () => {
      await Promise.all(deps.topics.map(open));
      committer.start();
      started = true;
    },
    stop: async () => {
      // A write that cannot land must not hold up the stop: its rows are read again.
      const giveUp = setTimeout(writer.stop, writer.stuckForMs() > 0 ? 0 : stopPatienceMs);
      await committer.stop();
      await Promise.all(readers.map((reader) => reader.stop())).finally(() => clearTimeout(giveUp));
      writer.stop();
    },
    ready: () => {
      if (!started) return { ok: false, reason: 'the event index does not read yet' };
      if (failures.length > 0) return { ok: false, reason: 'the event index has stopped reading' };
      if (readers.some((reader) => reader.silentForMs() > silenceMs)) return { ok: false, reason: 'the event bus is silent' };
      if (writer.stuckForMs() === 0) return { ok: true };
      if (writer.lastError() instanceof StoreUnavailable) return { ok: true, reason: 'the event index waits for the database' };
      return writer.stuckForMs() > patienceMs ? { ok: false, reason: 'the event index cannot be written' } : { ok: true };
    },
  };
}

function readRow(value: Buffer, onUnreadable: (error: unknown) => void): IndexRow | null {
  try {
    return indexRow(splitEnvelope(value));
  } catch (error) {
    onUnreadable(error);
    return null;
  }
}

/** One topic's subscription and how far its partitions are written. */
interface TopicReader {
  use(subscription: Subscription): void;
  landed(partition: number, next: bigint): void;
  /** A partition came or went: what was written of it under the last assignment is nobody's to commit. */
  forget(partition: number): void;
  commit(): Promise<void>;
  silentForMs(): number;
  stop(): Promise<void>;
}

function createTopicReader(): TopicReader {
  const next = new Map<number, bigint>();
  let subscription: Subscription | undefined;
  const commit = async (): Promise<void> => {
    const offsets = [...next].map(([partition, offset]) => ({ partition, next: offset }));
    next.clear();
    if (offsets.length > 0) await subscription?.commit(offsets);
  };
  return {
    use: (opened) => { subscription = opened; },
    landed: (partition, offset) => void next.set(partition, offset),
    forget: (partition) => void next.delete(partition),
    commit,
    silentForMs: () => subscription?.silentForMs() ?? 0,
    stop: async () => {
      await commit();
      await subscription?.stop();
    },
  };
}

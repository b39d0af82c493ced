import { eventIndexGroup, splitEnvelope } from '@sluice/contracts';
import type { EventBus, EventIndex, IndexRow, Logger, PartitionHandlers, ReceivedMessage, Subscription } from '@sluice/ports';
import { type CheckResult, createTicker, type Metrics, type ReadingSupervisor, type TopicReader } from '@sluice/service-kit';
import { indexRow } from './index-row';
import { createIndexWriter, type IndexBatch } from './index-writer';

/** Rows handed to the writer at once; a delivery of the bus may hold more. */
const portion = 500;
const commitEveryMs = 250;
/** A status may be this much behind: fewer, fuller deliveries leave the process to those who send. */
const lingerMs = 200;
const silenceMs = 30_000;
/** How long a stop waits for rows under way. */
const stopPatienceMs = 3_000;

export interface IndexConsumer {
  start(): Promise<void>;
  /** Leaves the groups; what is written is committed. */
  stop(): Promise<void>;
  /** Not ready while the bus is silent. Waiting for the database keeps ingestion in service; the supervisor tells of failures. */
  ready(): CheckResult;
}

export interface IndexConsumerDeps {
  bus: Pick<EventBus, 'subscribe'>;
  index: Pick<EventIndex, 'write'>;
  topics: readonly string[];
  supervisor: ReadingSupervisor;
  logger: Logger;
  metrics: Metrics;
  sleep(ms: number): Promise<void>;
}

export function createIndexConsumer(deps: IndexConsumerDeps): IndexConsumer {
  const { bus, logger, supervisor } = deps;
  const writer = createIndexWriter({ ...deps, troubles: supervisor, reader: eventIndexGroup });
  const indexed = deps.metrics.counter({ name: 'events_indexed_total', help: 'Accepted units written to the event index.' });
  const unreadable = deps.metrics.counter({ name: 'events_unreadable_total', help: 'Messages on event topics that are no event envelope.' });
  let started = false;

  const rowsOf = (topic: string, messages: readonly ReceivedMessage[]): IndexBatch => {
    const batch: IndexBatch = { topic, rows: [], bytes: 0 };
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
  const take = async (reader: IndexedTopic, partition: number, messages: readonly ReceivedMessage[]): Promise<void> => {
    for (let at = 0; at < messages.length; at += portion) {
      const part = messages.slice(at, at + portion);
      const batch = rowsOf(reader.topic, part);
      if (batch.rows.length > 0 && !(await writer.write(batch))) return;
      indexed.inc({}, batch.rows.length);
      reader.landed(partition, (part.at(-1) as ReceivedMessage).offset + 1n);
    }
  };
  const open = (topic: string): IndexedTopic => {
    const handlers: PartitionHandlers = {
      assigned: (partition) => reader.forget(partition),
      revoked: (partition) => reader.forget(partition),
      messages: (partition, messages) => take(reader, partition, messages),
    };
    const options = { topic, group: eventIndexGroup, fromStart: true, lingerMs, handlers };
    const reader = indexedTopic(topic, supervisor.reader({ topic, reader: eventIndexGroup }, () => bus.subscribe(options)));
    return reader;
  };
  const readers = deps.topics.map(open);
  const committer = createTicker({ name: 'event index commit', everyMs: commitEveryMs, logger, run: async () => void (await Promise.all(readers.map((reader) => reader.commit()))) });

  return {
    start: async () => {
      await Promise.all(readers.map((reader) => reader.start()));
      committer.start();
      started = true;
    },
    stop: async () => {
      // A write that cannot land must not hold up the stop: its rows are read again.
      const giveUp = setTimeout(writer.stop, writer.stuck() ? 0 : stopPatienceMs);
      await committer.stop();
      await Promise.all(readers.map((reader) => reader.stop())).finally(() => clearTimeout(giveUp));
      writer.stop();
    },
    ready: () => {
      if (!started) return { ok: false, reason: 'the event index does not read yet' };
      if (readers.some((reader) => reader.silentForMs() > silenceMs)) return { ok: false, reason: 'the event bus is silent' };
      return writer.stuck() === 'outage' ? { ok: true, reason: 'the event index waits for the database' } : { ok: true };
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

/** One topic's reader and how far its partitions are written. */
interface IndexedTopic {
  readonly topic: string;
  start(): Promise<void>;
  landed(partition: number, next: bigint): void;
  /** A partition came or went: what was written of it under the last assignment is nobody's to commit. */
  forget(partition: number): void;
  commit(): Promise<void>;
  silentForMs(): number;
  stop(): Promise<void>;
}

function indexedTopic(topic: string, reader: TopicReader<Subscription>): IndexedTopic {
  const next = new Map<number, bigint>();
  const commit = async (): Promise<void> => {
    const offsets = [...next].map(([partition, offset]) => ({ partition, next: offset }));
    next.clear();
    if (offsets.length > 0) await reader.current()?.commit(offsets);
  };
  return {
    topic, commit,
    start: () => reader.start(),
    landed: (partition, offset) => void next.set(partition, offset),
    forget: (partition) => void next.delete(partition),
    silentForMs: () => reader.current()?.silentForMs() ?? 0,
    stop: async () => {
      reader.openNoMore();
      await commit();
      await reader.stop();
    },
  };
}

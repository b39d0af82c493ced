import { eventIndexGroup, splitEnvelope } from '@sluice/contracts';
import type { EventBus, EventIndex, IndexRow, Logger, ReceivedMessage } from '@sluice/ports';
import { type CheckResult, createTicker, type Metrics, type ReadingSupervisor } from '@sluice/service-kit';
import { indexRow } from './index-row';
import { createIndexWriter, type IndexBatch } from './index-writer';
import { IndexedTopic, type Reading } from './indexed-topic';

/** Rows handed to the writer at once; a delivery of the bus may hold more. */
const portion = 500;
const commitEveryMs = 250;
/** How often the database is checked for a restore to an earlier state while nothing is written. */
const lookEveryMs = 2_000;
const silenceMs = 30_000;
/** How long a stop waits for rows under way. */
const stopPatienceMs = 3_000;

export interface IndexConsumer {
  start(): Promise<void>;
  /** Leaves the groups; what is written is committed. */
  stop(): Promise<void>;
  /**
   * Not ready while the bus is silent. While it waits for the database it stays ready, because events are still accepted; the
   * supervisor reports failures.
   */
  ready(): CheckResult;
}

export interface IndexConsumerDeps {
  bus: Pick<EventBus, 'subscribe' | 'lag'>;
  index: Pick<EventIndex, 'write' | 'position'>;
  topics: readonly string[];
  supervisor: ReadingSupervisor;
  logger: Logger;
  metrics: Metrics;
  sleep(ms: number): Promise<void>;
}

export function createIndexConsumer(deps: IndexConsumerDeps): IndexConsumer {
  const { logger, supervisor } = deps;
  const writer = createIndexWriter({ ...deps, troubles: supervisor, reader: eventIndexGroup });
  const indexed = deps.metrics.counter({ name: 'events_indexed_total', help: 'Accepted units written to the event index.' });
  const unreadable = deps.metrics.counter({
    name: 'events_unreadable_total',
    help: 'Messages on event topics that are no event envelope.',
  });
  let started = false;

  const rowsOf = (partition: number, messages: readonly ReceivedMessage[]): Omit<IndexBatch, 'range'> => {
    const rows: IndexRow[] = [];
    let bytes = 0;
    for (const { offset, value } of messages) {
      const row = value && readRow(value, (error) => {
        unreadable.inc();
        logger.error('a message is no event envelope', { partition, offset: String(offset), error });
      });
      if (row) rows.push(row);
      bytes += value?.length ?? 0;
    }
    return { rows, bytes };
  };
  const take = async (reader: IndexedTopic, reading: Reading, messages: readonly ReceivedMessage[]): Promise<void> => {
    const { partition } = reading;
    for (let at = 0; at < messages.length; at += portion) {
      const part = messages.slice(at, at + portion);
      const next = (part.at(-1) as ReceivedMessage).offset + 1n;
      const batch = rowsOf(partition, part);
      const result = await writer.write({ ...batch, range: { topic: reader.topic, partition, from: reading.at, next } });
      if (result === 'stopped') return;
      if (result !== 'written') {
        logger.warn('the event index was restored to an earlier state, reading again', {
          topic: reader.topic,
          partition,
          from: String(result),
        });
        return reader.setBack(reading, result);
      }
      indexed.inc({}, batch.rows.length);
      reader.landed(reading, next);
    }
  };
  const readers: IndexedTopic[] = deps.topics.map(
    (topic) =>
      new IndexedTopic(topic, {
        ...deps,
        take: (reading, messages) =>
          take(
            readers.find((reader) => reader.topic === topic)!,
            reading,
            messages,
          ),
      }),
  );
  const committer = createTicker({
    name: 'event index commit',
    everyMs: commitEveryMs,
    logger,
    run: async () => void (await Promise.all(readers.map((reader) => reader.commit()))),
  });
  const looker = createTicker({
    name: 'event index position',
    everyMs: lookEveryMs,
    logger,
    run: async () => void (await Promise.all(readers.map((reader) => reader.look()))),
  });

  return {
    start: async () => {
      await Promise.all(readers.map((reader) => reader.start()));
      committer.start();
      looker.start();
      started = true;
    },
    stop: async () => {
      // A write that cannot be stored must not block the stop: its messages are read again.
      const giveUp = setTimeout(writer.stop, writer.stuck() ? 0 : stopPatienceMs);
      await Promise.all([committer.stop(), looker.stop()]);
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

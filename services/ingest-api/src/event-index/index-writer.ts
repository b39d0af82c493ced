import type { EventIndex, IndexedRange, IndexPosition, IndexRow, Logger } from '@sluice/ports';
import { StoreUnavailable } from '@sluice/ports';
import type { ReadingTroubles } from '@sluice/service-kit';

/** Rows of one statement, and bytes of their messages. */
const maxRows = 1_000;
const maxBytes = 4 * 1024 * 1024;
const [firstWaitMs, longestWaitMs, pieceMs] = [100, 5_000, 500];

/** Rows with the bytes and the range of the messages they came from. */
export interface IndexBatch {
  rows: IndexRow[];
  bytes: number;
  range: IndexedRange;
}

/**
 * Writes the rows of many partitions together: all rows that wait when a statement ends go into the next one. Repeats a statement
 * until it succeeds; a repeated row conflicts and is not stored twice.
 */
export interface IndexWriter {
  /**
   * 'written'; or 'stopped': the writer stopped before, and the messages must be read again; or a number: the index was restored
   * to an earlier state, and its position in the partition is this offset.
   */
  write(batch: IndexBatch): Promise<'written' | 'stopped' | bigint>;
  /** Why the statement under way failed last; null when it has not failed. */
  stuck(): 'outage' | 'failure' | null;
  stop(): void;
}

interface Waiting extends IndexBatch {
  settle(result: 'written' | 'stopped' | bigint): void;
}

export interface IndexWriterDeps {
  index: Pick<EventIndex, 'write'>;
  /** Called for every failure other than an unreachable database. */
  troubles: Pick<ReadingTroubles, 'failed' | 'healed'>;
  /** Who reads. */
  reader: string;
  logger: Logger;
  sleep(ms: number): Promise<void>;
}

export function createIndexWriter({ index, troubles, reader, logger, sleep }: IndexWriterDeps): IndexWriter {
  const waiting: Waiting[] = [];
  let writing = false;
  let stopped = false;
  let stuck: 'outage' | 'failure' | null = null;

  const waitAfter = (error: unknown, topics: readonly string[], waitMs: number): number => {
    const kind = error instanceof StoreUnavailable ? 'outage' : 'failure';
    if (kind === 'outage' && stuck !== 'outage') logger.warn('the event index waits for the database', { error });
    stuck = kind;
    return kind === 'outage' ? waitMs : Math.max(...topics.map((topic) => troubles.failed({ topic, reader }, error)));
  };
  /** @returns the partitions in which the index is behind what was written; null: the writer has stopped */
  const land = async (batches: readonly IndexBatch[]): Promise<IndexPosition[] | null> => {
    const rows = batches.flatMap((batch) => batch.rows);
    const topics = [...new Set(batches.map(({ range }) => range.topic))];
    for (let waitMs = firstWaitMs; !stopped; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        const behind = await index.write(rows, batches.map(({ range }) => range));
        if (stuck) for (const topic of topics) troubles.healed({ topic, reader });
        stuck = null;
        return behind;
      } catch (error) {
        await pause(waitAfter(error, topics, waitMs));
      }
    }
    return null;
  };
  /** Sleeps in short pieces, so that a stop ends the wait. */
  const pause = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0 && !stopped; left -= pieceMs) await sleep(Math.min(pieceMs, left));
  };
  const writeAll = async (): Promise<void> => {
    writing = true;
    while (waiting.length > 0) {
      const batch = takeBatch(waiting);
      const behind = await land(batch);
      for (const { settle, range } of batch) {
        const lacking = behind?.find(({ topic, partition }) => topic === range.topic && partition === range.partition);
        settle(behind === null ? 'stopped' : lacking?.next ?? 'written');
      }
    }
    writing = false;
  };
  return {
    write: (batch) =>
      new Promise((settle) => {
        waiting.push({ ...batch, settle });
        if (!writing) void writeAll();
      }),
    stuck: () => stuck,
    stop: () => { stopped = true; },
  };
}

function takeBatch(waiting: Waiting[]): Waiting[] {
  let [rows, bytes, count] = [0, 0, 0];
  for (const batch of waiting) {
    rows += batch.rows.length;
    bytes += batch.bytes;
    if (count > 0 && (rows > maxRows || bytes > maxBytes)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

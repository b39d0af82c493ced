import type { EventIndex, IndexRow, Logger } from '@sluice/ports';

/** Rows of one statement, and bytes of their messages. */
const maxRows = 1_000;
const maxBytes = 4 * 1024 * 1024;
const [firstWaitMs, longestWaitMs] = [100, 5_000];

/** Rows with the bytes of the messages they came from. */
export interface IndexBatch {
  rows: IndexRow[];
  bytes: number;
}

/**
 * Writes what many partitions hand in, together: whatever waits when a statement ends goes into the next one. Repeats a
 * statement until it lands; rows conflict instead of duplicating.
 */
export interface IndexWriter {
  /** true: written. false: the writer has stopped before, the rows are to be read again. */
  write(batch: IndexBatch): Promise<boolean>;
  /** Milliseconds the statement under way has been tried, 0 when none has failed. */
  stuckForMs(): number;
  /** The error of the last failed try, null once a statement has landed. */
  lastError(): unknown;
  stop(): void;
}

interface Waiting extends IndexBatch {
  settle(written: boolean): void;
}

export interface IndexWriterDeps {
  index: Pick<EventIndex, 'write'>;
  logger: Logger;
  now(): number;
  sleep(ms: number): Promise<void>;
}

export function createIndexWriter({ index, logger, now, sleep }: IndexWriterDeps): IndexWriter {
  const waiting: Waiting[] = [];
  let writing = false;
  let stopped = false;
  let failingSince: number | null = null;
  let lastError: unknown = null;

  const land = async (rows: IndexRow[]): Promise<boolean> => {
    for (let waitMs = firstWaitMs; !stopped; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        await index.write(rows);
        [failingSince, lastError] = [null, null];
        return true;
      } catch (error) {
        if (failingSince === null) logger.warn('the event index cannot be written, it waits', { error });
        failingSince ??= now();
        lastError = error;
        await sleep(waitMs);
      }
    }
    return false;
  };
  const writeAll = async (): Promise<void> => {
    writing = true;
    while (waiting.length > 0) {
      const batch = takeBatch(waiting);
      const written = await land(batch.flatMap(({ rows }) => rows));
      for (const { settle } of batch) settle(written);
    }
    writing = false;
  };
  return {
    write: ({ rows, bytes }) =>
      new Promise((settle) => {
        waiting.push({ rows, bytes, settle });
        if (!writing) void writeAll();
      }),
    stuckForMs: () => (failingSince === null ? 0 : now() - failingSince),
    lastError: () => lastError,
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

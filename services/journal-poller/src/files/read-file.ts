import type { Again, RunContext } from '@sluice/background';
import { type ConnectorDirectory, stoppedReason } from '@sluice/connector-feed';
import type { ConnectorChange, Source } from '@sluice/contracts';
import { intakeRules } from '@sluice/event-intake';
import {
  type BlobStore, type ConnectorReader, type DiscardedRow, type SourceFile, type SourceFileProgress, type SourceFileStore,
  type SourceReadStore,
} from '@sluice/ports';
import { compileFileEvents, type FileConfig, type FileEvent, fileRows, FileUnreadable, readConfig, type SourceEvent } from '@sluice/sources';
import { ReadingStopped, type TakeRead } from '../intake/take-read';

export interface ReadFileDeps {
  files: SourceFileStore;
  store: Pick<SourceReadStore, 'find' | 'note'>;
  blobs: Pick<BlobStore, 'getStream' | 'delete'>;
  reader: Pick<ConnectorReader, 'versionSources'>;
  directory: Pick<ConnectorDirectory, 'ensure'>;
  take: TakeRead;
}

type Context = Pick<RunContext, 'key' | 'fence' | 'signal' | 'logger' | 'startedAt'>;

/** Events that are put into the log together, and rows after which the progress is stored. */
const [perBatch, perProgress] = [200, 5_000];
/** A file of a connector that is stopped, or of a source that is off, is looked at again after this. */
const idleMs = 5_000;

/**
 * Reads a file into the log. A process that dies begins again behind the rows of the last stored progress, whatever was published
 * meanwhile. Rows are named by the file and their line, so those that were queued after it get the same ids.
 * @returns nothing: the file has ended
 */
export async function readFile(deps: ReadFileDeps, context: Context): Promise<Again> {
  const { fence, key: id } = context;
  const file = await deps.files.find(id);
  if (!file || file.completedAt !== null) return undefined;
  const connector = await deps.directory.ensure(file.connectorId, 0);
  if (!connector || connector.deleted) return undefined;
  const state = await deps.store.find({ connectorId: file.connectorId, name: file.sourceName });
  const source = state && (await publishedFile(deps, connector, file.sourceName));
  if (!source) {
    await deps.files.end(fence, id, progressOf(file), 'its source is not published any more');
    return deleteContent(deps, file);
  }
  if (!state.enabled || stoppedReason(connector) !== null) return { dueInMs: idleMs };
  try {
    await readRows(deps, context, { file, connector, source });
  } catch (error) {
    if (error instanceof ReadingStopped) return { dueInMs: idleMs };
    throw error;
  }
  return deleteContent(deps, file);
}

async function publishedFile(
  { reader }: ReadFileDeps, { active_version: version, connector_id: id }: ConnectorChange, name: string,
): Promise<Source | undefined> {
  const published = version === null ? null : await reader.versionSources(id, version);
  return published?.sources.find((source) => source.name === name && source.type === 'file');
}

const progressOf = ({ rowsDiscarded, rowsQueued, rowsTotal }: SourceFile): SourceFileProgress =>
  ({ rowsDiscarded, rowsQueued, rowsTotal, discarded: [] });

async function deleteContent({ blobs }: ReadFileDeps, { blobKey }: SourceFile): Promise<undefined> {
  // What is left while the store is away is deleted with old files.
  if (blobKey !== null) await blobs.delete(blobKey).catch(() => undefined);
}

interface Work {
  file: SourceFile;
  connector: ConnectorChange;
  source: Source;
}

async function readRows(deps: ReadFileDeps, context: Context, { connector, file, source }: Work): Promise<void> {
  const { files, store, take } = deps;
  const rows = new RowsOfFile(file);
  const origin = { name: source.name, type: source.type };
  const flush = async (): Promise<void> => {
    await take({ connector, source: origin, rule: intakeRules.reading, events: rows.takeBatch(), perRecord: true });
    context.signal.throwIfAborted();
  };
  const problem = await eachEvent(deps, file, source, async (event) => {
    rows.add(event);
    if (rows.batchSize >= perBatch) await flush();
    if (rows.sinceProgress < perProgress) return;
    await flush();
    await files.progress(context.fence, file.id, rows.takeProgress());
  });
  await flush();
  await files.end(context.fence, file.id, rows.takeProgress(), problem);
  const { connectorId, sourceName: name } = file;
  const error = problem === null ? null : `the file '${file.filename}' failed: ${problem}`;
  await store.note({ connectorId, name }, { error, ...(rows.hasEvents && { eventAt: context.startedAt }) });
}

/** @returns why the file cannot be read to its end; null: it was */
async function eachEvent(
  { blobs }: ReadFileDeps, file: SourceFile, { name, config }: Source, take: (event: FileEvent) => Promise<void>,
): Promise<string | null> {
  const content = file.blobKey === null ? null : await blobs.getStream(file.blobKey);
  if (content === null) return 'its content is not there any more';
  const read = readConfig<FileConfig>(config);
  const eventOf = compileFileEvents({ name, config: read });
  try {
    for await (const row of fileRows(content, read)) await take(eventOf(row, JSON.stringify([file.id, row.line])));
    return null;
  } catch (error) {
    if (error instanceof FileUnreadable) return error.message;
    throw error;
  } finally {
    content.destroy();
  }
}

/**
 * Counts the rows of a file and gathers them into batches. Invariant: of the rows that were read, an earlier run has queued or
 * discarded the first `before`; of the others each is queued, discarded, or in the batch.
 */
class RowsOfFile {
  private readonly before: number;
  private total = 0;
  private queued: number;
  private discardedCount: number;
  private lastProgressAt: number;
  private batch: SourceEvent[] = [];
  private discarded: DiscardedRow[] = [];

  /** Counts that do not make up all rows are of an older version, which stored them while a batch waited: it begins again. */
  constructor({ rowsDiscarded, rowsQueued, rowsTotal }: SourceFile) {
    const isWhole = rowsQueued + rowsDiscarded === rowsTotal;
    [this.before, this.queued, this.discardedCount] = isWhole ? [rowsTotal, rowsQueued, rowsDiscarded] : [0, 0, 0];
    this.lastProgressAt = this.before;
  }

  get batchSize(): number {
    return this.batch.length;
  }

  get sinceProgress(): number {
    return this.total - this.lastProgressAt;
  }

  get hasEvents(): boolean {
    return this.queued > 0;
  }

  add(row: FileEvent): void {
    this.total += 1;
    if (this.total <= this.before) return;
    if ('problem' in row) {
      this.discardedCount += 1;
      this.discarded.push({ line: row.line, reason: row.problem });
    } else this.batch.push(row.event);
  }

  takeBatch(): SourceEvent[] {
    this.queued += this.batch.length;
    return this.batch.splice(0);
  }

  /** Called when the batch is in the log. */
  takeProgress(): SourceFileProgress {
    this.lastProgressAt = this.total;
    return {
      rowsTotal: Math.max(this.before, this.total), rowsQueued: this.queued, rowsDiscarded: this.discardedCount,
      discarded: this.discarded.splice(0),
    };
  }
}

import { createHash, randomUUID } from 'node:crypto';
import type { Again, RunContext } from '@sluice/background';
import type { ConnectorChange, Source } from '@sluice/contracts';
import {
  type BlobStore, BlobStoreUnavailable, sourceFileFolder, type SourceFileStore, type SourceReading, type SourceReadStore,
  type SourceRef, type WatchedFile, WatchedFileChanged, type WatchedFiles, type WatchedFilesOpener, WatchedFilesUnreadable,
} from '@sluice/ports';
import type { LRUCache } from 'lru-cache';
import { placeOf, type PlaceDeps, watchedSource } from './place-of';

export interface LookForFilesDeps extends PlaceDeps {
  places: WatchedFilesOpener;
  files: Pick<SourceFileStore, 'add' | 'hasState' | 'noteState' | 'list'>;
  store: Pick<SourceReadStore, 'end'>;
  blobs: Pick<BlobStore, 'putStream' | 'delete'>;
  /** Milliseconds between two looks for files. */
  everyMs: number;
  /** What this process found unchanged and taken: the state by source and name. Saves asking the store. */
  taken: LRUCache<string, string>;
}

type Context = Pick<RunContext, 'fence' | 'signal' | 'startedAt'>;

/** A watched source in one run. */
export interface WatchedSource {
  ref: SourceRef;
  connector: ConnectorChange;
  reading: SourceReading;
}

/** The same with its published definition. */
type PublishedWatch = WatchedSource & { source: Source };

/** Names that are looked at, and files of a source that may wait to be read: each is copied before. */
const [mostNames, mostWaiting] = [10_000, 20];
/** Milliseconds until files that were left are looked for. */
const moreMs = 1_000;
/** A file that changed more recently, in milliseconds, may still be written. */
const settledMs = 2_000;
/** Files that cannot be read, after which a look ends: one bad file keeps back no other, a service that is away does. */
const mostUnreadable = 3;
const maxFileBytes = 2 * 1024 ** 3;

/**
 * Takes the new files of a watched place, each once by its name and content, as if they were uploaded; they stay where they are.
 * A process that dies in between looks again: what it has copied without telling is deleted with old files.
 * @returns when to look again; nothing: the source watches no place
 */
export async function lookForFiles(deps: LookForFilesDeps, context: Context, watched: WatchedSource): Promise<Again> {
  const source = await watchedSource(deps, watched);
  if (source === null) return undefined;
  const { fence, startedAt } = context;
  const { reading: { createdAt, failures }, ref } = watched;
  const { error, isMore } = await look(deps, context, { ...watched, source });
  const nextDueAt = new Date(startedAt.getTime() + (isMore ? Math.min(moreMs, deps.everyMs) : deps.everyMs));
  await deps.store.end(fence, { ...ref, createdAt }, {
    schedule: null, nextDueAt, waitUntil: null, retryAfterAt: null, failures: error === null ? 0 : 1, readAt: startedAt,
    // An error of a file that was read stays, until the next file.
    ...((error !== null || failures > 0) && { error }),
  });
  return { dueAt: nextDueAt };
}

interface Looked {
  /** What the owner should know; null: nothing. */
  error: string | null;
  /** Files were left, because enough of them wait to be read. */
  isMore: boolean;
}

async function look(deps: LookForFilesDeps, context: Context, watched: PublishedWatch): Promise<Looked> {
  try {
    const files = await deps.places.open(await placeOf(deps, watched));
    try {
      return await takeFiles(deps, context, watched, files);
    } finally {
      await files.close();
    }
  } catch (error) {
    const told = wordsFor(error);
    if (told === null) throw error;
    return { error: told, isMore: false };
  }
}

/** What the owner should know of a failure; null: it is none of a file or its place. */
function wordsFor(error: unknown): string | null {
  if (error instanceof WatchedFilesUnreadable) return error.message;
  return error instanceof BlobStoreUnavailable ? 'files cannot be stored at the moment; they are looked for again' : null;
}

async function takeFiles(
  deps: LookForFilesDeps, context: Context, watched: PublishedWatch, files: WatchedFiles,
): Promise<Looked> {
  const names = await files.names(mostNames + 1, context.signal);
  const [tooLarge, unreadable]: [string[], string[]] = [[], []];
  let isMore = false;
  for (const name of names.slice(0, mostNames)) {
    context.signal.throwIfAborted();
    const took = await takeFile(deps, context, watched, { files, name }).catch((error: unknown) => {
      if (!(error instanceof WatchedFilesUnreadable)) throw error;
      unreadable.push(error.message);
      return 'unreadable' as const;
    });
    if (took === 'too large') tooLarge.push(name);
    isMore = took === 'taken' && (await isFull(deps, watched.ref));
    if (isMore || unreadable.length === mostUnreadable) break;
  }
  return { error: unreadable[0] ?? problemOf(names, tooLarge), isMore };
}

function problemOf(names: readonly string[], tooLarge: readonly string[]): string | null {
  const large = tooLarge.slice(0, 3).map((name) => `'${name}'`).join(', ');
  if (large !== '') return `files over 2 GiB are not read: ${large}`;
  return names.length > mostNames ? `only ${mostNames} files of its location are looked at` : null;
}

/** Whether as many files as may wait for it wait to be read. */
async function isFull({ files }: LookForFilesDeps, ref: SourceRef): Promise<boolean> {
  const { items } = await files.list(ref, { limit: mostWaiting, offset: 0 });
  return items.length === mostWaiting && items.every(({ completedAt }) => completedAt === null);
}

async function takeFile(
  deps: LookForFilesDeps, context: Context, { connector, ref }: WatchedSource,
  { files, name }: { files: WatchedFiles; name: string },
): Promise<'taken' | 'known' | 'too large' | 'not now'> {
  const file = await files.file(name);
  if (file === null) return 'not now';
  try {
    const [key, { bytes, changedAt, state }] = [JSON.stringify([ref.connectorId, ref.name, name]), file];
    if (deps.taken.get(key) === state) return 'known';
    if (changedAt !== null && Math.abs(Date.now() - changedAt.getTime()) < settledMs) return 'not now';
    if (bytes > maxFileBytes) return 'too large';
    const isSeen = await deps.files.hasState(ref, { filename: name, watchedState: state });
    const digest = isSeen ? '' : await digestOf(file, context.signal);
    const isKnown = isSeen || (await deps.files.noteState(ref, { filename: name, digest, watchedState: state }));
    const isTaken = isKnown || (await copy(deps, { connector, digest, file, name, ref, signal: context.signal }));
    if (!isTaken) return 'not now';
    deps.taken.set(key, state);
    return isKnown ? 'known' : 'taken';
  } catch (error) {
    if (error instanceof WatchedFileChanged) return 'not now';
    throw error;
  } finally {
    await file.close();
  }
}

async function digestOf(file: WatchedFile, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of file.read(signal)) hash.update(chunk);
  return hash.digest('hex');
}

interface Copied {
  connector: ConnectorChange;
  ref: SourceRef;
  name: string;
  file: WatchedFile;
  digest: string;
  signal: AbortSignal;
}

/**
 * Copies a file into the blob store and adds it. Throws WatchedFileChanged.
 * @returns false: it is another content, or its source is not published any more
 */
async function copy(deps: LookForFilesDeps, { connector, digest, file, name, ref, signal }: Copied): Promise<boolean> {
  const id = randomUUID();
  const blobKey = `${sourceFileFolder}/${ref.connectorId}/${id}`;
  let isKept = false;
  try {
    const hash = createHash('sha256');
    async function* hashed(): AsyncGenerator<Uint8Array> {
      for await (const chunk of file.read(signal)) {
        hash.update(chunk);
        yield chunk;
      }
    }
    const bytes = await deps.blobs.putStream(blobKey, hashed());
    if (hash.digest('hex') !== digest) return false;
    const added = await deps.files.add({
      id, organizationId: connector.organization_id, connectorId: ref.connectorId, name: ref.name, filename: name, digest, bytes,
      blobKey, watchedState: file.state,
    });
    isKept = added?.isNew ?? false;
    return added !== null;
  } finally {
    if (!isKept) await deps.blobs.delete(blobKey).catch(() => undefined);
  }
}

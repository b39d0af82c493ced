import { createHash, randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Again, RunContext } from '@sluice/background';
import type { ConnectorChange } from '@sluice/contracts';
import {
  type BlobStore, BlobStoreUnavailable, type ConnectorReader, sourceFileFolder, type SourceFileStore, type SourceReading,
  type SourceReadStore, type SourceRef,
} from '@sluice/ports';
import { type FileConfig, readConfig, watchedLocation } from '@sluice/sources';
import type { LRUCache } from 'lru-cache';
import { FolderUnreadable, WatchedFolder } from './watched-folder';

export interface LookIntoFolderDeps {
  /** SLUICE_FILE_ROOT, absolute; null: no folder is watched. */
  root: string | null;
  files: Pick<SourceFileStore, 'add' | 'has' | 'list'>;
  store: Pick<SourceReadStore, 'end'>;
  blobs: Pick<BlobStore, 'putStream' | 'delete'>;
  reader: Pick<ConnectorReader, 'versionSources'>;
  /** Milliseconds between two looks into a folder. */
  everyMs: number;
  /** What this process found unchanged and taken: size and time of change, by source and name. Saves reading it again. */
  taken: LRUCache<string, string>;
}

type Context = Pick<RunContext, 'fence' | 'signal' | 'startedAt'>;

/** A watched source in one run. */
export interface WatchedSource {
  ref: SourceRef;
  connector: ConnectorChange;
  reading: SourceReading;
}

/** Names that are looked at, and files of a source that may wait to be read: each is copied before. */
const [mostNames, mostWaiting] = [10_000, 20];
/** Milliseconds until files that were left are looked for. */
const moreMs = 1_000;
/** A file that changed more recently, in milliseconds, may still be written. */
const settledMs = 2_000;
const maxFileBytes = 2 * 1024 ** 3;

/**
 * Takes the new files of a watched folder, each once by its name and content, as if they were uploaded; they stay where they are.
 * A process that dies in between looks again: what it has copied without telling is deleted with old files.
 * @returns when to look again; nothing: the source watches no folder
 */
export async function lookIntoFolder(deps: LookIntoFolderDeps, context: Context, watched: WatchedSource): Promise<Again> {
  const below = await folderOf(deps, watched);
  if (below === null) return undefined;
  const { fence, startedAt } = context;
  const { reading: { failures }, ref } = watched;
  const { error, isMore } = await look(deps, context, watched, below);
  const nextDueAt = new Date(startedAt.getTime() + (isMore ? Math.min(moreMs, deps.everyMs) : deps.everyMs));
  await deps.store.end(fence, ref, {
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

async function look(
  deps: LookIntoFolderDeps, context: Context, watched: WatchedSource, below: readonly string[],
): Promise<Looked> {
  try {
    return await takeFiles(deps, context, watched, below);
  } catch (error) {
    if (error instanceof FolderUnreadable) return { error: error.message, isMore: false };
    if (error instanceof BlobStoreUnavailable)
      return { error: 'files cannot be stored at the moment; they are looked for again', isMore: false };
    throw error;
  }
}

/** The components of the watched folder below the root; null: the source watches none. */
async function folderOf({ reader, root }: LookIntoFolderDeps, { connector, ref }: WatchedSource): Promise<string[] | null> {
  const { active_version: version, connector_id: id, organization_id: organizationId } = connector;
  const published = version === null ? null : await reader.versionSources(id, version);
  const source = published?.sources.find(({ name, type }) => name === ref.name && type === 'file');
  const { location } = readConfig<FileConfig>(source?.config);
  if (root === null || location === undefined) return null;
  const found = watchedLocation(location, join(root, organizationId));
  return found?.kind === 'folder' ? relative(root, found.path).split('/') : null;
}

async function takeFiles(
  deps: LookIntoFolderDeps, context: Context, watched: WatchedSource, below: readonly string[],
): Promise<Looked> {
  const folder = await WatchedFolder.open(deps.root!, below);
  const tooLarge: string[] = [];
  let isMore = false;
  try {
    const names = await folder.names(mostNames + 1);
    for (const name of names.slice(0, mostNames)) {
      context.signal.throwIfAborted();
      const took = await takeFile(deps, context, watched, { folder, name });
      if (took === 'too large') tooLarge.push(name);
      isMore = took === 'taken' && (await isFull(deps, watched.ref));
      if (isMore) break;
    }
    const large = tooLarge.slice(0, 3).map((name) => `'${name}'`).join(', ');
    if (tooLarge.length > 0) return { error: `files over 2 GiB are not read: ${large}`, isMore };
    return { error: names.length > mostNames ? `of the folder only ${mostNames} files are looked at` : null, isMore };
  } finally {
    await folder.close();
  }
}

/** Whether as many files as may wait for it wait to be read. */
async function isFull({ files }: LookIntoFolderDeps, ref: SourceRef): Promise<boolean> {
  const { items } = await files.list(ref, { limit: mostWaiting, offset: 0 });
  return items.length === mostWaiting && items.every(({ completedAt }) => completedAt === null);
}

async function takeFile(
  deps: LookIntoFolderDeps, context: Context, { connector, ref }: WatchedSource,
  { folder, name }: { folder: WatchedFolder; name: string },
): Promise<'taken' | 'known' | 'too large' | 'not now'> {
  const handle = await folder.file(name);
  if (handle === null) return 'not now';
  try {
    const stat = await handle.stat();
    const [key, state] = [JSON.stringify([ref.connectorId, ref.name, name]), stateOf(stat)];
    if (deps.taken.get(key) === state) return 'known';
    if (Math.abs(Date.now() - stat.mtimeMs) < settledMs) return 'not now';
    if (stat.size > maxFileBytes) return 'too large';
    const digest = await digestOf(handle, context.signal);
    const isKnown = await deps.files.has(ref, { filename: name, digest });
    const isTaken = isKnown || (await copy(deps, { connector, digest, handle, name, ref, signal: context.signal, state }));
    if (!isTaken) return 'not now';
    deps.taken.set(key, state);
    return isKnown ? 'known' : 'taken';
  } finally {
    await handle.close();
  }
}

const stateOf = ({ ctimeMs, ino, mtimeMs, size }: Stats): string => `${ino} ${size} ${mtimeMs} ${ctimeMs}`;

async function digestOf(handle: FileHandle, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(handle, signal)) hash.update(chunk);
  return hash.digest('hex');
}

async function* chunksOf(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  // The handle stays open for the next reading.
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
    signal.throwIfAborted();
    yield chunk as Uint8Array;
  }
}

interface Copied {
  connector: ConnectorChange;
  ref: SourceRef;
  name: string;
  handle: FileHandle;
  digest: string;
  state: string;
  signal: AbortSignal;
}

/**
 * Copies a file into the blob store and adds it. @returns false: it changed meanwhile, or its source is not published any more
 */
async function copy(deps: LookIntoFolderDeps, { connector, digest, handle, name, ref, signal, state }: Copied): Promise<boolean> {
  const id = randomUUID();
  const blobKey = `${sourceFileFolder}/${ref.connectorId}/${id}`;
  let isKept = false;
  try {
    const hash = createHash('sha256');
    async function* hashed(): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunksOf(handle, signal)) {
        hash.update(chunk);
        yield chunk;
      }
    }
    const bytes = await deps.blobs.putStream(blobKey, hashed());
    if (hash.digest('hex') !== digest || stateOf(await handle.stat()) !== state) return false;
    const added = await deps.files.add({
      id, organizationId: connector.organization_id, connectorId: ref.connectorId, name: ref.name, filename: name, digest, bytes,
      blobKey,
    });
    isKept = added?.isNew ?? false;
    return added !== null;
  } finally {
    if (!isKept) await deps.blobs.delete(blobKey).catch(() => undefined);
  }
}

import {
  packageFormatVersion, type PackageManifest, type PackageManifestFile, packageManifestSchema,
} from '@sluice/contracts';
import type { ByteSource } from '@sluice/ports';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { compile } from './compile';
import { BadPackage } from './bad-package';

/** What a package may be, whoever made it. */
export interface PackageBounds {
  /** Entries of the archive. */
  entries: number;
  /** Bytes that all entries unpack to. */
  bytes: number;
  /** Bytes that an entry unpacks to for each packed one, from 10 MiB on. */
  ratio: number;
}

export const usualBounds: PackageBounds = { entries: 100_000, bytes: 1024 ** 4, ratio: 500 };

const freeBytes = 10 * 1024 * 1024;
const largestManifest = 64 * 1024 * 1024;
const manifestPath = 'manifest.json';

/**
 * The package of a data export, read from a file. The archive is not trusted: what its directory says is checked before anything
 * is unpacked, and nothing is written anywhere.
 */
export class PackageReader {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    /** Its files, by their path. */
    readonly files: ReadonlyMap<string, PackageManifestFile>,
    readonly manifest: PackageManifest,
  ) {}

  /** @throws BadPackage */
  static async open(path: string, bounds = usualBounds): Promise<PackageReader> {
    const zip = await asBadPackage(yauzl.openPromise(path, { strictFileNames: true, autoClose: false }));
    try {
      const entries = await entriesOf(zip, bounds);
      const manifest = await readManifest(zip, entries);
      return new PackageReader(zip, entries, filesOf(manifest, entries), manifest);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** The unpacked bytes of a file. @throws BadPackage for one that is not there, or cannot be unpacked */
  async *bytes(path: string): ByteSource {
    const entry = this.entries.get(path);
    if (!entry) throw new BadPackage(`${path} is missing`);
    yield* bytesOf(this.zip, entry);
  }

  close(): void {
    this.zip.close();
  }
}

async function entriesOf(zip: ZipFile, bounds: PackageBounds): Promise<Map<string, Entry>> {
  if (zip.entryCount > bounds.entries) throw new BadPackage(`the archive has more than ${bounds.entries} files`);
  const entries = new Map<string, Entry>();
  let [packed, unpacked] = [0, 0];
  for await (const entry of namedEntries(zip)) {
    const problem = problemOf(entry, bounds);
    if (problem) throw new BadPackage(`${entry.fileName} ${problem}`);
    if (entries.has(entry.fileName)) throw new BadPackage(`${entry.fileName} is in the archive twice`);
    entries.set(entry.fileName, entry);
    packed += entry.compressedSize;
    unpacked += entry.uncompressedSize;
  }
  if (packed > zip.fileSize) throw new BadPackage('files of the archive overlap');
  if (unpacked > bounds.bytes) throw new BadPackage(`the archive unpacks to more than ${bounds.bytes} bytes`);
  return entries;
}

/** @throws BadPackage for a name that leaves the folder, and a directory that cannot be read */
async function* namedEntries(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw new BadPackage(`the archive cannot be read: ${(error as Error).message}`);
  }
}

const typeMask = 0o170000;
const linkType = 0o120000;

function problemOf(entry: Entry, { ratio }: PackageBounds): string | null {
  if (((entry.externalFileAttributes >>> 16) & typeMask) === linkType) return 'is a link';
  if (entry.isEncrypted()) return 'is encrypted';
  if (!entry.canDecodeFileData()) return 'is packed in a way that is not known';
  const allowed = Math.max(freeBytes, entry.compressedSize * ratio);
  return entry.uncompressedSize > allowed ? `unpacks to more than ${ratio} times its size` : null;
}

async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<PackageManifest> {
  const entry = entries.get(manifestPath);
  if (!entry) throw new BadPackage(`${manifestPath} is missing: this is no package of a data export`);
  if (entry.uncompressedSize > largestManifest) throw new BadPackage(`${manifestPath} is too large`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytesOf(zip, entry)) chunks.push(chunk);
  const manifest = parsed(Buffer.concat(chunks).toString());
  const version = (manifest as { format_version?: unknown } | null)?.format_version;
  if (version !== packageFormatVersion)
    throw new BadPackage(`its format_version is ${JSON.stringify(version)}, this version reads ${packageFormatVersion}`);
  const problem = checkManifest(manifest);
  if (problem !== null) throw new BadPackage(`${manifestPath}${problem}`);
  return manifest as PackageManifest;
}

const checkManifest = compile(packageManifestSchema);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadPackage(`${manifestPath} is no JSON`);
  }
}

function filesOf(manifest: PackageManifest, entries: ReadonlyMap<string, Entry>): Map<string, PackageManifestFile> {
  const files = new Map<string, PackageManifestFile>();
  for (const file of manifest.categories.flatMap((category) => category.files)) {
    if (files.has(file.path)) throw new BadPackage(`${manifestPath} names ${file.path} twice`);
    if (!entries.has(file.path)) throw new BadPackage(`${file.path} is missing, ${manifestPath} names it`);
    files.set(file.path, file);
  }
  return files;
}

async function* bytesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new BadPackage(`${entry.fileName} cannot be unpacked: ${(error as Error).message}`);
  }
}

async function asBadPackage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BadPackage(code === 'ENOENT' ? 'there is no such file' : `it is no ZIP archive: ${message}`);
  }
}

import { Readable } from 'node:stream';
import {
  packageCategories, packageExclusions, packageFilePaths, packageFiles, packageFormatVersion, type PackageManifest,
  type PackageManifestFile, pluginFolder, type PackageFilePath,
} from '@sluice/contracts';
import type { ByteSource, ExportSnapshot } from '@sluice/ports';
import archiver, { type Archiver } from 'archiver';
import { maskedLines } from './masked-lines';
import { CountedFile } from './package-file';

export interface PackageToWrite {
  snapshot: ExportSnapshot;
  exportId: string;
  organizationId: string;
  connectorId: string | null;
  /** The bytes of a stored payload; null: it is gone. */
  payload(key: string): Promise<Buffer | null>;
  /** Called with the rows written so far, for each chunk of a file. May stop the writing by throwing. */
  written(rows: number): void;
}

/** A package while it is written. */
export interface WrittenPackage {
  /** The archive as it is made, no faster than it is read. Breaks with what broke the writing. */
  archive: Readable;
  /** Resolves when the archive was read to its end. */
  finished: Promise<{ manifest: PackageManifest; rows: number }>;
}

/** Of deflate, 1 to 9: a higher one takes twice the time for a few per cent. */
const compressionLevel = 4;

/**
 * Writes the package of a data export: a file for each kind of data, one after the other, and the manifest at its end. Memory
 * does not grow with the data.
 */
export function writePackage(wanted: PackageToWrite): WrittenPackage {
  const archive = archiver('zip', { zlib: { level: compressionLevel } });
  const writing = new PackageWriting(archive, wanted);
  const finished = writing.run().catch((error: unknown) => {
    archive.destroy(error as Error);
    throw error;
  });
  // Who reads the archive gets the same error.
  finished.catch(() => undefined);
  return { archive, finished };
}

/** Invariant: one entry is under way at a time, and the manifest names every entry that was written before it. */
class PackageWriting {
  private rows = 0;
  private readonly files = new Map<string, PackageManifestFile[]>(packageCategories.map((name) => [name, []]));
  private readonly broken: Promise<never>;

  constructor(private readonly archive: Archiver, private readonly wanted: PackageToWrite) {
    this.broken = new Promise((_, reject) => {
      for (const event of ['error', 'warning', 'close'] as const)
        archive.on(event, (error?: Error) => reject(error ?? new Error('the archive was closed before its end')));
    });
    this.broken.catch(() => undefined);
  }

  async run(): Promise<{ manifest: PackageManifest; rows: number }> {
    const { snapshot } = this.wanted;
    for (const path of packageFilePaths) {
      const lines = path === 'recorded_payloads.jsonl' ? this.payloadLines() : snapshot.lines(path);
      await this.lines(path, maskedLines(path, lines));
    }
    await this.pluginCode();
    const manifest = this.manifest();
    await this.entry('manifest.json', Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]));
    await Promise.race([this.archive.finalize(), this.broken]);
    return { manifest, rows: this.rows };
  }

  private async lines(path: PackageFilePath, lines: ByteSource): Promise<void> {
    const { bytes, sha256, records } = await this.counted(path, lines, true);
    this.note(packageFiles[path].category, { path, format: 'jsonl', records, bytes, sha256 });
  }

  private async pluginCode(): Promise<void> {
    const folders = new Map<string, string>();
    for await (const { pluginId, plugin, kind, bytes: code } of this.wanted.snapshot.pluginCode()) {
      const folder = folders.get(pluginId) ?? freeFolder(pluginFolder(plugin), pluginId, new Set(folders.values()));
      folders.set(pluginId, folder);
      const [path, format] = kind === 'source'
        ? [`${folder}/source.ts`, 'typescript' as const] : [`${folder}/bundle.js`, 'javascript' as const];
      const { bytes, sha256 } = await this.counted(path, Readable.from([code]), false);
      this.note('plugins', { path, format, bytes, sha256, plugin });
    }
  }

  /** Those of the database, and then those that lie in the blob store. */
  private async *payloadLines(): AsyncGenerator<Uint8Array> {
    const { snapshot, payload } = this.wanted;
    yield* snapshot.lines('recorded_payloads.jsonl');
    for await (const { line, key } of snapshot.storedPayloads()) {
      const bytes = await payload(key);
      yield Buffer.from(`${JSON.stringify({ ...line, payload: bytes && JSON.parse(String(bytes)) })}\n`);
    }
  }

  private async counted(path: string, source: ByteSource, countsRows: boolean) {
    const file = new CountedFile(source, (lines) => {
      if (countsRows) this.rows += lines;
      this.wanted.written(this.rows);
    });
    await this.entry(path, Readable.from(file, { objectMode: false }));
    return file.facts();
  }

  private async entry(name: string, bytes: Readable): Promise<void> {
    const failed = new Promise<never>((_, reject) => bytes.once('error', reject));
    const done = new Promise<void>((resolve) => this.archive.once('entry', () => resolve()));
    this.archive.append(bytes, { name });
    await Promise.race([done, failed, this.broken]).finally(() => bytes.destroy());
  }

  private note(category: string, file: PackageManifestFile): void {
    this.files.get(category)?.push(file);
  }

  private manifest(): PackageManifest {
    const { snapshot, exportId, organizationId, connectorId } = this.wanted;
    return {
      format_version: packageFormatVersion,
      export_id: exportId,
      organization_id: organizationId,
      scope: connectorId === null ? 'organization' : 'connector',
      connector_ids: [...snapshot.connectorIds],
      generated_at: snapshot.takenAt.toISOString(),
      categories: packageCategories.map((name) => ({ name, files: this.files.get(name) ?? [] })),
      exclusions: packageExclusions.map((one) => ({ ...one })),
    };
  }
}

/** Two names may become one folder: the later one gets a part of its id. */
const freeFolder = (folder: string, id: string, taken: ReadonlySet<string>): string =>
  taken.has(folder) ? `${folder}-${id.slice(0, 8)}` : folder;

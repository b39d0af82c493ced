import { createHash, randomUUID } from 'node:crypto';
import { configRoutes } from '@sluice/contracts';
import { BlobStoreUnavailable, sourceFileFolder } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute, type IncomingFile } from '@sluice/service-kit';
import type { SourceFileDeps } from './deps';
import { fileSource } from './file-source';

/** What an upload has become in the blob store. */
interface StoredFile {
  filename: string;
  digest: string;
  bytes: number;
}

export function postSourceFiles(deps: SourceFileDeps): HttpRoute {
  return implementRoute(configRoutes.uploadSourceFile, {
    authenticate: deps.authenticate,
    handler: async ({ form, params, principal, wide }) => {
      const { connector, source: { enabled, name } } = await fileSource(deps, principal, params);
      if (!enabled) throw apiError('source_disabled');
      const id = randomUUID();
      const blobKey = `${sourceFileFolder}/${connector.id}/${id}`;
      wide.add({ connector_id: connector.id, source: name, file_id: id });
      let isKept = false;
      try {
        const { files: { file } } = await form.receive({ file: (incoming) => storeFile(deps, blobKey, incoming) });
        const { id: connectorId, organizationId } = connector;
        const added = await deps.sourceFiles.add({ id, organizationId, connectorId, name, blobKey, ...file });
        // A publish has ended the source meanwhile.
        if (!added) throw apiError('Not Found');
        isKept = added.isNew;
        return { status: 202, body: { file_id: added.file.id, status: added.file.status } };
      } catch (error) {
        throw error instanceof BlobStoreUnavailable ? apiError('attachment_store_unavailable') : error;
      } finally {
        // What is left by a crash, or while the store is away, is deleted with old files.
        if (!isKept) await deps.blobs.delete(blobKey).catch(() => undefined);
      }
    },
  });
}

async function storeFile(
  { blobs }: SourceFileDeps, blobKey: string, { bytes: chunks, filename }: IncomingFile,
): Promise<StoredFile> {
  const hash = createHash('sha256');
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const bytes = await blobs.putStream(blobKey, hashed());
  return { filename: nameOf(filename), digest: hash.digest('hex'), bytes };
}

/** Characters of a name that are kept. */
const longestName = 255;

/** A name without what columns and terminals do not take. */
const nameOf = (filename: string | null): string =>
  (filename ?? '').replaceAll(/[\p{Cc}\p{Cs}]/gu, '').slice(0, longestName).trim() || 'unnamed';

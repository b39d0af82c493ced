import { createHash } from 'node:crypto';
import { BlobStoreUnavailable, callFailure, type CallResult, downloadFolder } from '@sluice/ports';
import type { FileWork } from './file-work';
import type { UnitContext } from '../shared/unit-context';

/** The content of one address for one step of one event. */
export interface Download {
  url: string;
  stepId: string;
}

/**
 * Reads the content of an address once per event and step: an address may give other bytes each time, and a repeat that uploads
 * them would make a second file. The bytes are kept in the blob store from before they are uploaded until the event has ended.
 */
export async function downloadedContent(
  { blobs, downloads, maxBytes }: Pick<FileWork, 'blobs' | 'downloads' | 'maxBytes'>,
  unit: Pick<UnitContext, 'connectorId' | 'unitKey' | 'effects'>,
  { url, stepId }: Download,
): Promise<CallResult<Buffer>> {
  const key = `${downloadFolder}/${unit.connectorId}/${nameOf([unit.unitKey, stepId, url])}`;
  try {
    const kept = await blobs.get(key);
    const content: CallResult<Buffer> = kept ? { ok: true, value: kept } : await downloads.read(url, { maxBytes });
    if (!content.ok) return content;
    unit.effects.downloads.push(key);
    if (!kept) await blobs.put(key, content.value);
    return content;
  } catch (error) {
    if (!(error instanceof BlobStoreUnavailable)) throw error;
    return callFailure('transient', 'blob_unavailable', 'the object store cannot be reached');
  }
}

const nameOf = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

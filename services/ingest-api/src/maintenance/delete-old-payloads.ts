import { payloadFolder } from '@sluice/event-intake';
import { type BlobStore, exportFolder, type Logger } from '@sluice/ports';

export interface DeleteOldPayloadsDeps {
  blobs: Pick<BlobStore, 'deleteOlderThan'>;
  logger: Logger;
  /** Milliseconds since the epoch. */
  now(): number;
  payloadRetentionMs: number;
  eventTtlMs: number;
}

/** Margin for an event that is running when its time to live ends. */
const marginMs = 86_400_000;

/**
 * Deletes large payloads and exported files past retention. They are kept at least as long as an event may wait, whatever the
 * retention is: the event needs its payload when it runs.
 */
export async function deleteOldPayloads({
  blobs,
  logger,
  now,
  payloadRetentionMs,
  eventTtlMs,
}: DeleteOldPayloadsDeps): Promise<void> {
  const keepMs = Math.max(payloadRetentionMs, eventTtlMs) + marginMs;
  const before = new Date(now() - keepMs);
  const deleted = (await blobs.deleteOlderThan(payloadFolder, before)) + (await blobs.deleteOlderThan(exportFolder, before));
  if (deleted > 0) logger.info('payloads and exported files past retention deleted', { deleted });
}

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

/** For what is under way when an event's time ends. */
const marginMs = 86_400_000;

/**
 * Deletes large payloads and exported files past retention. They stay for as long as an event may wait for its turn, whatever
 * the retention says: it needs its payload then.
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

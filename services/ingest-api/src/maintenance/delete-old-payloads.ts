import { payloadFolder } from '@sluice/event-intake';
import type { BlobStore, Logger } from '@sluice/ports';

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
 * Deletes large payloads past retention. One stays for as long as its event may wait for its turn, whatever the retention
 * says: the event needs it then.
 */
export async function deleteOldPayloads({
  blobs,
  logger,
  now,
  payloadRetentionMs,
  eventTtlMs,
}: DeleteOldPayloadsDeps): Promise<void> {
  const keepMs = Math.max(payloadRetentionMs, eventTtlMs) + marginMs;
  const deleted = await blobs.deleteOlderThan(payloadFolder, new Date(now() - keepMs));
  if (deleted > 0) logger.info('payloads past retention deleted', { deleted });
}

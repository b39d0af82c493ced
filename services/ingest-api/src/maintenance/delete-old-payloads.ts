import { payloadFolder } from '@sluice/event-intake';
import { type BlobStore, downloadFolder, type EventIndex, exportFolder, type Logger } from '@sluice/ports';

export interface DeleteOldPayloadsDeps {
  blobs: Pick<BlobStore, 'deleteOlderThan'>;
  logger: Logger;
  /** Its clock tells how old a payload is: that of this machine may be set wrong. */
  index: Pick<EventIndex, 'storeTime'>;
  payloadRetentionMs: number;
  eventTtlMs: number;
}

/** Margin for an event that is running when its time to live ends. */
const marginMs = 86_400_000;

/**
 * Deletes large payloads, exported files and downloaded contents past retention. They are kept at least as long as an event may
 * wait, whatever the retention is: the event needs its payload when it runs.
 */
export async function deleteOldPayloads({
  blobs,
  logger,
  index,
  payloadRetentionMs,
  eventTtlMs,
}: DeleteOldPayloadsDeps): Promise<void> {
  const keepMs = Math.max(payloadRetentionMs, eventTtlMs) + marginMs;
  const before = new Date((await index.storeTime()).getTime() - keepMs);
  let deleted = 0;
  for (const folder of [payloadFolder, exportFolder, downloadFolder]) deleted += await blobs.deleteOlderThan(folder, before);
  if (deleted > 0) logger.info('payloads and files past retention deleted', { deleted });
}

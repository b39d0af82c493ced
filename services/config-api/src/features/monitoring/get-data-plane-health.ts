import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { keptFor } from '../../limits/kept-for';
import type { MonitoringDeps } from './deps';

/** Milliseconds for which an answer serves every caller. */
const freshMs = 1_000;
/** A name that no blob has: reading it shows whether the store answers. */
const noBlob = 'health/none';

/** Whether the parts answer that ingestion stands on: the log, and the blob store for payloads over 256 KiB. */
export function getDataPlaneHealth({ bus, blobs }: Pick<MonitoringDeps, 'bus' | 'blobs'>): HttpRoute {
  const read = keptFor(freshMs, async () => {
    const ingestion = bus.healthy();
    const attachments = await blobs.get(noBlob).then(() => true, () => false);
    const word = (available: boolean): 'available' | 'unavailable' => (available ? 'available' : 'unavailable');
    return {
      status: !ingestion ? 'unavailable' : attachments ? 'ok' : 'degraded', ingestion: word(ingestion),
      attachments: word(attachments),
      checked_at: new Date().toISOString(),
    } as const;
  });
  return implementRoute(configRoutes.dataPlaneHealth, { handler: async () => ({ status: 200, body: await read() }) });
}

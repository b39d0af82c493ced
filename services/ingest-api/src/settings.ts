import { defineSettings, deliveryTimings, limitSettings, networkSettings, retentionTimings, type SettingValues } from '@sluice/service-kit';
import { partsSettings } from '@sluice/service-parts';

/** What only ingest-api reads. */
export const indexSettings = defineSettings({
  eventIndex: { env: 'SLUICE_EVENT_INDEX', type: 'boolean', default: 'on', description: 'Whether this ingest-api also writes the event index. `off` leaves its CPU to accepting where other instances write it; at least one must.' },
  flowIndexCache: { env: 'SLUICE_FLOW_INDEX_CACHE', type: 'integer', min: 1, max: 10_000_000, default: '100000', description: 'Flows of published versions that one ingest-api keeps in memory for the hints of its answers, about 500 bytes each.' },
});

/** What ingest-api reads of the environment. */
export const ingestApiSettings = {
  ...partsSettings,
  ...networkSettings,
  ...limitSettings,
  ...indexSettings,
  stuckAfterMs: deliveryTimings.stuckAfterMs,
  eventTtlMs: deliveryTimings.eventTtlMs,
  historyRetentionMs: retentionTimings.historyRetentionMs,
  payloadRetentionMs: retentionTimings.payloadRetentionMs,
} as const;

export type IngestApiSettings = SettingValues<typeof ingestApiSettings>;

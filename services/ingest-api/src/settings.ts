import { deliveryTimings, limitSettings, networkSettings, retentionTimings, type SettingValues } from '@sluice/service-kit';
import { partsSettings } from '@sluice/service-parts';

/** What ingest-api reads of the environment. */
export const ingestApiSettings = {
  ...partsSettings,
  ...networkSettings,
  ...limitSettings,
  stuckAfterMs: deliveryTimings.stuckAfterMs,
  historyRetentionMs: retentionTimings.historyRetentionMs,
  payloadRetentionMs: retentionTimings.payloadRetentionMs,
} as const;

export type IngestApiSettings = SettingValues<typeof ingestApiSettings>;

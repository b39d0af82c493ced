import { defineSettings, limitSettings, networkSettings, retentionTimings, type SettingValues } from '@sluice/service-kit';
import { partsSettings } from '@sluice/service-parts';

/** What config-api reads of the environment. */
export const configApiSettings = defineSettings({
  ...partsSettings,
  ...networkSettings,
  ...limitSettings,
  sessionTtlMs: retentionTimings.sessionTtlMs,
});

export type ConfigApiSettings = SettingValues<typeof configApiSettings>;

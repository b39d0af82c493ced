import { commonSettings, crmSettings, databaseSettings, defineSettings, kafkaSettings, limitSettings, networkSettings, redisSettings, retentionTimings, securitySettings, type SettingValues } from '@sluice/service-kit';

/** What config-api reads of the environment. */
export const configApiSettings = defineSettings({
  ...commonSettings,
  ...networkSettings,
  ...crmSettings,
  ...databaseSettings,
  ...redisSettings,
  ...kafkaSettings,
  ...securitySettings,
  ...limitSettings,
  sessionTtlMs: retentionTimings.sessionTtlMs,
});

export type ConfigApiSettings = SettingValues<typeof configApiSettings>;

import {
  commonSettings, crmSettings, databaseSettings, kafkaSettings, objectStoreSettings, publishSettings, readingSettings,
  redisSettings, securitySettings, type SettingValues,
} from '@sluice/service-kit';

/** The settings that decide which adapters a service runs on. Spread them into a service's own declarations. */
export const partsSettings = {
  ...commonSettings, ...databaseSettings, ...redisSettings, ...kafkaSettings, ...publishSettings, ...readingSettings,
  ...objectStoreSettings, ...crmSettings, ...securitySettings,
} as const;

export type PartsSettings = SettingValues<typeof partsSettings>;

/**
 * What a service that runs by itself cannot do without, by key: embedded parts live in one process only (CONTRACT 3).
 * For the third argument of `parseSettings`, which names them all beside everything else that is wrong.
 */
export const externalParts = ['databaseUrl', 'kafkaBrokers', 'redisUrl', 'encryptionKeys'] as const satisfies readonly (keyof PartsSettings)[];

import {
  commonSettings, crmSettings, databaseSettings, kafkaSettings, objectStoreSettings, publishSettings, readingSettings,
  redisSettings, securitySettings, type SettingValues,
} from '@sluice/service-kit';

/** The settings that decide where a service keeps and sends what it works on. Spread them into a service's own declarations. */
export const storeSettings = {
  ...commonSettings, ...databaseSettings, ...redisSettings, ...kafkaSettings, ...publishSettings, ...readingSettings,
  ...objectStoreSettings,
} as const;

/** The same, of a service that calls the CRM and opens its credentials. */
export const partsSettings = { ...storeSettings, ...crmSettings, encryptionKeys: securitySettings.encryptionKeys } as const;

export type StoreSettings = SettingValues<typeof storeSettings>;
export type PartsSettings = SettingValues<typeof partsSettings>;

/**
 * What a service that runs by itself cannot do without, by key: embedded parts live in one process only.
 * For the third argument of `parseSettings`, which names them all beside everything else that is wrong.
 */
export const externalStores = ['databaseUrl', 'kafkaBrokers', 'redisUrl'] as const satisfies readonly (keyof StoreSettings)[];
export const externalParts = [...externalStores, 'encryptionKeys'] as const satisfies readonly (keyof PartsSettings)[];
